"""Tables and charts as plain HTML and SVG: text in, text out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

PALETTE = ("#3b6ea5", "#e08a3c", "#4f9d69", "#a05195", "#c94f4f", "#7a8793", "#c7a93a")
_WIDTH, _HEIGHT = 360, 150
_LEFT, _BOTTOM, _TOP = 8, 22, 18
_BAR, _LABEL_WIDTH, _BARS_WIDTH = 18, 110, 640


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; all but the first column are set to the right."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def histogram(
    values: NDArray[Any], *, title: str, unit: str = "", bins: int = 30
) -> str:
    """How often which value occurs; the last bar holds the highest percent as well.

    Without that, one wild clip would press all others into the first bar.
    """
    values = np.asarray(values, dtype=np.float64)
    low, high = float(values.min()), float(values.max())
    top = float(np.percentile(values, 99)) if len(values) > 100 else high
    top = top if top > low else low + 1e-9
    counts, edges = np.histogram(np.minimum(values, top), bins=bins, range=(low, top))
    step = (_WIDTH - 2 * _LEFT) / bins
    room = _HEIGHT - _TOP - _BOTTOM
    bars = []
    for i, count in enumerate(counts):
        height = room * count / max(counts.max(), 1)
        hint = f"{edges[i]:.3g} to {edges[i + 1]:.3g} {unit}: {count}"
        bars.append(
            f'<rect x="{_LEFT + i * step:.1f}" y="{_HEIGHT - _BOTTOM - height:.1f}" '
            f'width="{step - 1:.1f}" height="{height:.1f}" fill="{PALETTE[0]}">'
            f"<title>{escape(hint)}</title></rect>"
        )
    more = f" (to {high:.3g})" if high > top * 1.001 else ""
    marks = (
        _text(_LEFT, 12, title, weight="600")
        + _text(_LEFT, _HEIGHT - 6, f"{low:.3g}")
        + _text(_WIDTH - _LEFT, _HEIGHT - 6, f"{top:.3g} {unit}{more}", anchor="end")
    )
    return _svg(_WIDTH, _HEIGHT, "".join(bars) + marks)


def stacked_bars(rows: Mapping[str, Mapping[str, int]], *, title: str) -> str:
    """A bar for each row, made of its parts; a legend says which colour is which."""
    parts = list(dict.fromkeys(part for row in rows.values() for part in row))
    colours = {part: PALETTE[i % len(PALETTE)] for i, part in enumerate(parts)}
    most = max((sum(row.values()) for row in rows.values()), default=1) or 1
    scale = (_BARS_WIDTH - _LABEL_WIDTH - 50) / most
    shapes = [_text(_LEFT, 14, title, weight="600"), _legend(colours, y=32)]
    y = 44
    for name, row in rows.items():
        shapes.append(_text(_LABEL_WIDTH - 6, y + 12, name, anchor="end"))
        x = float(_LABEL_WIDTH)
        for part, count in row.items():
            shapes.append(
                f'<rect x="{x:.1f}" y="{y}" width="{count * scale:.1f}" '
                f'height="{_BAR - 4}" fill="{colours[part]}">'
                f"<title>{escape(f'{name}, {part}: {count}')}</title></rect>"
            )
            x += count * scale
        shapes.append(_text(x + 5, y + 12, str(sum(row.values()))))
        y += _BAR
    return _svg(_BARS_WIDTH, y + 6, "".join(shapes))


def _legend(colours: Mapping[str, str], *, y: int) -> str:
    shapes, x = [], float(_LABEL_WIDTH)
    for part, colour in colours.items():
        shapes.append(
            f'<rect x="{x:.0f}" y="{y - 9}" width="10" height="10" fill="{colour}"/>'
        )
        shapes.append(_text(x + 14, y, part))
        x += 30 + 6.5 * len(part)
    return "".join(shapes)


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", weight: str = "400"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )


def _svg(width: int, height: int, inside: str) -> str:
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img">{inside}</svg>'
    )
