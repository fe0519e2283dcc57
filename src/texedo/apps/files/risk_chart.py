"""The risk of one motion over time as a picture (SVG); colours are the page's."""

from __future__ import annotations

from html import escape

import numpy as np

from texedo.motion import FPS
from texedo.see.dynamics.outlook import Outlook, risk_near, survival_curve
from texedo.see.dynamics.protocol import Float32, Float64

WIDTH, HEIGHT = 900, 168
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 24, 44
_STRIP = 7
"""Height of the strip that shows who still stands."""
_MOST_POINTS = 450
"""Of a longer motion the highest of neighbouring frames is drawn: peaks stay."""
_MOST_CELLS = 180
SCALES = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
STEPS = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 3600.0)
"""Seconds between marks of the time axis."""


def scale_for(highest: float) -> float:
    """Top of the axis for curves up to this probability."""
    return next((scale for scale in SCALES if highest <= scale), 1.0)


def risk_chart(hazard: Float32, outlook: Outlook, *, scale: float) -> str:
    """The chance to fall near each moment, the riskiest second, and who still stands."""
    frames = max(len(hazard) - 1, 1)
    seconds = frames / FPS
    inside = (
        _axes(seconds, scale)
        + _window(outlook, seconds)
        + _curve(risk_near(hazard), scale)
        + _strip(survival_curve(hazard))
        + _mark(outlook, seconds, scale, float(risk_near(hazard).max()))
    )
    label = f"Chance to fall over {seconds:.1f} s: {outlook.in_words()}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label, quote=True)}">{inside}</svg>'
    )


def time_step(seconds: float) -> float:
    """Distance of marks, so that there are at most twelve."""
    return next((step for step in STEPS if seconds / step <= 12), STEPS[-1])


def _x(share: float) -> float:
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * share


def _y(share: float) -> float:
    return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _axes(seconds: float, scale: float) -> str:
    shapes = []
    for share in (0.0, 0.5, 1.0):
        y = _y(share)
        shapes.append(
            f'<line class="grid" x1="{_x(0):.1f}" y1="{y:.1f}" x2="{_x(1):.1f}" '
            f'y2="{y:.1f}"/>'
            + _text(_LEFT - 6, y + 4, f"{100 * share * scale:g} %", anchor="end")
        )
    step = time_step(seconds)
    for k in range(int(seconds / step + 1e-9) + 1):
        place = _x(k * step / seconds)
        anchor = "middle" if k * step < 0.97 * seconds else "end"
        shapes.append(_text(place, HEIGHT - 8, f"{k * step:g} s", anchor=anchor))
    return "".join(shapes)


def _curve(risk: Float64, scale: float) -> str:
    drawn = _pooled(risk, _MOST_POINTS)
    places = np.linspace(0.0, 1.0, len(drawn)) if len(drawn) > 1 else np.zeros(1)
    points = " ".join(
        f"{_x(float(x)):.1f},{_y(min(float(y) / scale, 1.0)):.1f}"
        for x, y in zip(places, drawn, strict=True)
    )
    floor = f"{_y(0):.1f}"
    return (
        f'<polygon class="area" points="{_x(0):.1f},{floor} {points} '
        f'{_x(1):.1f},{floor}"/><polyline class="curve" points="{points}"/>'
    )


def _strip(alive: Float64) -> str:
    """Cells as opaque as robots are likely to be still standing."""
    cells = -_pooled(-alive, _MOST_CELLS)
    width = (_x(1) - _x(0)) / len(cells)
    y = HEIGHT - _BOTTOM + 9
    shapes = [
        f'<rect class="track" x="{_x(0):.1f}" y="{y}" width="{_x(1) - _x(0):.1f}" '
        f'height="{_STRIP}" rx="3"><title>still standing at the end: '
        f"{100 * alive[-1]:.0f} %</title></rect>"
    ]
    # Neighbours that look the same are one cell: a safe motion is one bar.
    shown = np.round(cells, 2)
    starts = np.flatnonzero(np.concatenate(([True], shown[1:] != shown[:-1])))
    for start, end in zip(starts, [*starts[1:], len(cells)], strict=True):
        shapes.append(
            f'<rect class="stands" x="{_x(0) + start * width:.1f}" y="{y}" '
            f'width="{(end - start) * width:.1f}" height="{_STRIP}" '
            f'opacity="{shown[start]:.2f}" shape-rendering="crispEdges"/>'
        )
    return "".join(shapes)


def _window(outlook: Outlook, seconds: float) -> str:
    if outlook.riskiest_s is None:
        return ""
    first = max(outlook.riskiest_s - 0.5, 0.0) / seconds
    last = min(outlook.riskiest_s + 0.5, seconds) / seconds
    return (
        f'<rect class="window" x="{_x(first):.1f}" y="{_TOP}" '
        f'width="{max(_x(last) - _x(first), 2):.1f}" height="{_y(0) - _TOP:.1f}" '
        'rx="3"/>'
    )


def _mark(outlook: Outlook, seconds: float, scale: float, peak: float) -> str:
    """What the riskiest second is about, above it."""
    if outlook.riskiest_s is None or outlook.risk is None:
        return ""
    share = min(outlook.riskiest_s / seconds, 1.0)
    said = f"{outlook.riskiest_s:.1f} s: {_percent(outlook.risk)}"
    if outlook.cause:
        said += f", {outlook.cause}"
    anchor = "start" if share < 0.2 else "end" if share > 0.8 else "middle"
    y = _y(min(peak / scale, 1.0))
    return f'<circle class="peak" cx="{_x(share):.1f}" cy="{y:.1f}" r="3.5"/>' + _text(
        _x(share), _TOP - 9, said, anchor=anchor, name="mark"
    )


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %" if value >= 0.095 else f"{100 * value:.1g} %"


def _pooled(values: Float64, most: int) -> Float64:
    """At most so many values, each the highest of its neighbours."""
    if len(values) <= most:
        return values
    edges = np.linspace(0, len(values), most + 1).astype(np.int64)[:-1]
    return np.asarray(np.maximum.reduceat(values, edges))


def _text(x: float, y: float, text: str, *, anchor: str, name: str = "") -> str:
    kind = f' class="{name}"' if name else ""
    return (
        f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )
