"""Curves as a picture (SVG): one line for each way to choose, N to the right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from texedo.data.report.charts import PALETTE
from texedo.evaluation.dynamics.curve import svg_text
from texedo.evaluation.suites.figures import Figure

_WIDTH, _HEIGHT = 360, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 34, 40

Curve = Sequence[tuple[int, Figure]]
"""N and what was measured."""


def curves_svg(
    curves: Mapping[str, Curve],
    *,
    title: str,
    unit: str = "",
    across: str = "candidates N",
    log: bool = False,
) -> str:
    """A file of its own; intervals are shaded, N is on a scale of powers of two, and so
    are the values, all above 0, if `log` is wanted."""
    points = [point for curve in curves.values() for point in curve]
    points = [point for point in points if point[1].value is not None]
    if not points:
        raise ValueError(f"{title}: there is no point to draw.")
    room = _Room(points, log)
    shapes = [room.frame(unit, across)]
    for number, (name, curve) in enumerate(curves.items()):
        colour = PALETTE[number % len(PALETTE)]
        known = [point for point in curve if point[1].value is not None]
        shapes.append(room.band(known, colour))
        shapes.append(room.line(known, colour))
        shapes.append(
            svg_text(_WIDTH + 8, _TOP + 14 + 16 * number, name, colour=colour)
        )
    shapes.append(svg_text(_LEFT, 18, title, weight="600"))
    width, height = _WIDTH + 150, _HEIGHT + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="white"/>'
        f"{''.join(shapes)}</svg>\n"
    )


class _Room:
    """Where a point lies on the picture."""

    def __init__(self, points: Sequence[tuple[int, Figure]], log: bool) -> None:
        self.log = log
        ends = [
            self._up(end)
            for _, own in points
            for end in (own.value, *(own.interval or ()))
            if end is not None
        ]
        low, high = min(ends), max(ends)
        margin = 0.06 * (high - low) or 0.05 * max(abs(high), 1e-3)
        self.low, self.high = low - margin, high + margin
        self.counts = sorted({n for n, _ in points})
        self.last = math.log2(self.counts[-1]) or 1.0

    def _up(self, value: float) -> float:
        return math.log2(value) if self.log else value

    def place(self, n: int, value: float) -> tuple[float, float]:
        share = (self._up(value) - self.low) / (self.high - self.low)
        y = _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share
        return self._across(n), y

    def _across(self, n: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log2(n) / self.last

    def line(self, curve: Curve, colour: str) -> str:
        shapes, path = [], []
        for n, own in curve:
            assert own.value is not None
            x, y = self.place(n, own.value)
            path.append(f"{x:.1f},{y:.1f}")
            shapes.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}">'
                f"<title>N = {n}: {own}</title></circle>"
            )
        return (
            f'<polyline points="{" ".join(path)}" fill="none" stroke="{colour}" '
            f'stroke-width="1.5"/>{"".join(shapes)}'
        )

    def band(self, curve: Curve, colour: str) -> str:
        known = [(n, own.interval) for n, own in curve if own.interval is not None]
        edge = [self.place(n, ends[1]) for n, ends in known]
        edge += [self.place(n, ends[0]) for n, ends in reversed(known)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in edge)
        return f'<polygon points="{path}" fill="{colour}" fill-opacity="0.12"/>'

    def frame(self, unit: str, across: str) -> str:
        x0, x1, y0, y1 = _LEFT, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM, _TOP
        shapes = [
            f'<rect x="{x0}" y="{y1}" width="{x1 - x0}" height="{y0 - y1}" '
            'fill="none" stroke="#c8ced4"/>'
        ]
        for n in self.counts:
            x = self._across(n)
            shapes.append(svg_text(x, y0 + 16, str(n), anchor="middle"))
        for k in range(5):
            up = self.low + (self.high - self.low) * k / 4
            value = 2.0**up if self.log else up
            _, y = self.place(1, value)
            shapes.append(svg_text(x0 - 6, y + 4, f"{value:.3g}", anchor="end"))
        shapes.append(svg_text((x0 + x1) / 2, y0 + 32, across, anchor="middle"))
        shapes.append(svg_text(x1, 18, unit, anchor="end"))
        return "".join(shapes)
