"""The reliability curve as a picture (SVG): bins as points, the diagonal as the ideal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from texedo.data.report.charts import PALETTE

_SIDE, _LEFT, _TOP = 300, 48, 40


def reliability_svg(
    curves: Mapping[str, Sequence[Mapping[str, Any]]], *, title: str
) -> str:
    """A file of its own: one line of bins for each curve, probability to the right."""
    shapes = [_frame()]
    for number, (name, bins) in enumerate(curves.items()):
        colour = PALETTE[number % len(PALETTE)]
        points = [_place(row["probability"], row["outcome"]) for row in bins]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" '
            'stroke-width="1.5"/>'
        )
        for (x, y), row in zip(points, bins, strict=True):
            hint = f"{row['n']}: {row['probability']:.3f}, {row['outcome']:.3f}"
            shapes.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">'
                f"<title>{hint}</title></circle>"
            )
        y = _TOP + 16 + 16 * number
        shapes.append(svg_text(_LEFT + 10, y, name, colour=colour))
    shapes.append(svg_text(_LEFT, 20, title, weight="600"))
    width, height = _SIDE + _LEFT + 16, _SIDE + _TOP + 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="white"/>'
        f"{''.join(shapes)}</svg>\n"
    )


def _place(probability: float, outcome: float) -> tuple[float, float]:
    return _LEFT + _SIDE * probability, _TOP + _SIDE * (1 - outcome)


def _frame() -> str:
    (x0, y0), (x1, y1) = _place(0, 0), _place(1, 1)
    shapes = [
        f'<rect x="{x0}" y="{y1}" width="{_SIDE}" height="{_SIDE}" fill="none" '
        'stroke="#c8ced4"/>',
        f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="#7a8793" '
        'stroke-dasharray="4 3"/>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = _place(tick, tick)
        shapes.append(svg_text(x, y0 + 16, f"{tick:g}", anchor="middle"))
        shapes.append(svg_text(x0 - 6, y + 4, f"{tick:g}", anchor="end"))
    middle = x0 + _SIDE / 2
    shapes.append(svg_text(middle, y0 + 34, "forecast probability", anchor="middle"))
    shapes.append(
        f'<g transform="rotate(-90 12 {_TOP + _SIDE / 2})">'
        f"{svg_text(12, _TOP + _SIDE / 2, 'share that finishes', anchor='middle')}</g>"
    )
    return "".join(shapes)


def svg_text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    weight: str = "400",
    colour: str = "#222",
) -> str:
    """A label of a chart, escaped."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{colour}">{escape(text)}</text>'
    )
