"""Every candidate by its two scores, and the threshold between them (SVG).

R_text grows to the right, upwards what the threshold is of: R_dyn, or the chance to
finish. A score that nobody knows puts the point into a margin of its own, beside the axis
that it has no place on. Whoever passes is a disc, whoever does not a ring, so that it can
be told without colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from texedo.pipeline.account import Account, CandidateAccount
from texedo.pipeline.page.figures import number, outcome, passes

WIDTH, HEIGHT = 480, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 16, 44
_GUTTER = 30
"""Width of the margin for unknown scores, where there are any."""
_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
_MOST_MARKS = 5


class Axis(NamedTuple):
    """A range of scores on a line of pixels."""

    low: float
    high: float
    step: float
    start: float
    """Pixel of `low`."""
    end: float
    """Pixel of `high`."""

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * share

    def marks(self) -> list[float]:
        first = math.ceil(self.low / self.step - 1e-6)
        last = math.floor(self.high / self.step + 1e-6)
        return [k * self.step for k in range(first, last + 1)]


def axis_for(values: Iterable[float], start: float, end: float) -> Axis:
    """The narrowest range of round numbers around all finite values; 0 to 1 if none."""
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return Axis(0.0, 1.0, 0.25, start, end)
    low, high = min(known), max(known)
    room = max(0.08 * (high - low), 0.002)
    low, high = low - room, high + room
    if min(known) >= 0 and max(known) <= 1:
        # Scores are shares: there is nothing beyond a whole one.
        low, high = max(low, -0.0), min(high, 1.0)
    fits = (step for step in _STEPS if (high - low) / step <= _MOST_MARKS)
    step = next(fits, (high - low) / _MOST_MARKS)
    return Axis(low, high, step, start, end)


def scatter(account: Account) -> str:
    """The picture, or a sentence if there is nothing to put into it."""
    drawn = [
        c
        for c in account.candidates
        if math.isfinite(c.r_text) or math.isfinite(account.screened(c))
    ]
    if not drawn:
        return (
            '<p class="soft">Nobody gave these candidates R_text or '
            f"{account.screen}.</p>"
        )
    x_gutter = _GUTTER * any(not math.isfinite(c.r_text) for c in drawn)
    y_gutter = _GUTTER * any(not math.isfinite(account.screened(c)) for c in drawn)
    x = axis_for((c.r_text for c in drawn), _LEFT + x_gutter, WIDTH - _RIGHT)
    bounds = [account.screened(c) for c in drawn]
    if any(map(math.isfinite, bounds)):
        bounds.append(account.threshold)
    y = axis_for(bounds, HEIGHT - _BOTTOM - y_gutter, _TOP)
    inside = (
        _grid(x, y, account.screen)
        + _gutters(x_gutter, y_gutter, account.screen)
        + _threshold(account, x, y)
        + _points(drawn, account, x, y)
    )
    missing = len(account.candidates) - len(drawn)
    note = f'<p class="soft">{missing} without any score.</p>' if missing else ""
    return (
        f'<svg id="scatter" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" '
        f'aria-label="{account.screen} against R_text of {len(drawn)} candidates; arrow '
        f'keys go from one to the next">{inside}</svg>{note}'
    )


def _grid(x: Axis, y: Axis, screen: str) -> str:
    left, right, top, floor = _LEFT, WIDTH - _RIGHT, _TOP, HEIGHT - _BOTTOM
    shapes = []
    for value in y.marks():
        at = y.at(value)
        shapes.append(_line(left, at, right, at))
        shapes.append(_text(left - 7, at + 4, _mark(value, y), "end"))
    for value in x.marks():
        at = x.at(value)
        shapes.append(_line(at, top, at, floor))
        shapes.append(_text(at, floor + 16, _mark(value, x), "middle"))
    middle = (top + floor) / 2
    shapes.append(
        _text((left + right) / 2, HEIGHT - 8, "R_text: does it mean what was said")
    )
    shapes.append(
        f'<text transform="translate(13 {middle:.0f}) rotate(-90)" '
        f'text-anchor="middle">{screen}: will the robot manage it</text>'
    )
    return "".join(shapes)


def _mark(value: float, axis: Axis) -> str:
    digits = max(0, -math.floor(math.log10(axis.step) + 1e-9))
    if axis.step == 0.25:
        digits = 2
    return f"{value + 0.0:.{digits}f}"


def _gutters(x_gutter: int, y_gutter: int, screen: str) -> str:
    shapes = ""
    if x_gutter:
        height = HEIGHT - _TOP - _BOTTOM
        shapes += _band(_LEFT, _TOP, x_gutter - 6, height, "R_text is unknown")
    if y_gutter:
        top, width = HEIGHT - _BOTTOM - y_gutter + 6, WIDTH - _LEFT - _RIGHT
        shapes += _band(_LEFT, top, width, y_gutter - 6, f"{screen} is unknown")
        shapes += _text(WIDTH - _RIGHT - 6, top + 16, f"{screen} unknown", "end")
    return shapes


def _threshold(account: Account, x: Axis, y: Axis) -> str:
    limit = account.threshold
    if not math.isfinite(limit) or not y.low <= limit <= y.high:
        return ""
    at, right = y.at(limit), WIDTH - _RIGHT
    return (
        f'<rect class="below" x="{_LEFT}" y="{at:.1f}" '
        f'width="{right - _LEFT}" height="{max(y.start - at, 0):.1f}"/>'
        f'<line class="threshold" x1="{_LEFT}" y1="{at:.1f}" x2="{right}" '
        f'y2="{at:.1f}"/>'
        f'<text class="limit" x="{_LEFT + 6}" y="{at + 15:.1f}">'
        f"threshold {limit:.4g}</text>"
    )


class _Spot(NamedTuple):
    """A point of the picture."""

    x: float
    y: float
    radius: float
    kind: str
    label: str


def _spot(candidate: CandidateAccount, account: Account, x: Axis, y: Axis) -> _Spot:
    i = candidate.index
    kind = "ring" if passes(candidate, account) is False else "disc"
    radius, label = 5.5, ""
    if i == account.chosen:
        kind, radius, label = f"{kind} best", 8.0, str(i)
    elif i in account.runners_up[:2]:
        kind, radius, label = f"{kind} next", 6.5, str(i)
    own = account.screened(candidate)
    return _Spot(
        x.at(candidate.r_text) if math.isfinite(candidate.r_text) else _LEFT + 12.0,
        y.at(own) if math.isfinite(own) else y.start + 18.0,
        radius,
        kind,
        label,
    )


def _points(
    candidates: list[CandidateAccount], account: Account, x: Axis, y: Axis
) -> str:
    """Who matters most is drawn last, above the others, and gets its label first."""
    named = [account.chosen, *account.runners_up]
    order = sorted(
        candidates,
        key=lambda c: named.index(c.index) if c.index in named else len(named),
    )
    taken: list[tuple[float, float]] = []
    shapes = []
    for candidate in order:
        spot = _spot(candidate, account, x, y)
        shapes.append(_point(candidate, account, spot, _label(spot, taken)))
    return "".join(reversed(shapes))


def _label(spot: _Spot, taken: list[tuple[float, float]]) -> str:
    """Beside the point, in the first corner that no other label has."""
    if not spot.label:
        return ""
    far = spot.radius + 5
    corners = [
        (spot.x + side * far, spot.y + up * far + 4, "start" if side > 0 else "end")
        for up in (-1.0, 1.0, -2.4, 2.4)
        for side in (1, -1)
    ]
    inside = [c for c in corners if c[0] < WIDTH - 30 or c[2] == "end"]
    free = (
        c
        for c in inside
        if all(abs(c[0] - tx) > 24 or abs(c[1] - ty) > 13 for tx, ty in taken)
    )
    at_x, at_y, anchor = next(free, inside[0])
    taken.append((at_x, at_y))
    return _text(at_x, at_y, spot.label, anchor)


def _point(
    candidate: CandidateAccount, account: Account, spot: _Spot, label: str
) -> str:
    i = candidate.index
    said = (
        f"candidate {i}: R_text {number(candidate.r_text)}, "
        f"R_dyn {number(candidate.r_dyn)}, {outcome(candidate, account)}"
    )
    place = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
    return (
        f'<g class="point {spot.kind}" data-candidate="{i}" role="button" '
        f'tabindex="{0 if i == account.chosen else -1}" '
        f'aria-label="{escape(said, quote=True)}"><title>{escape(said)}</title>'
        f'<circle class="target" {place} r="10"/>'
        f'<circle class="mark" {place} r="{spot.radius}"/>{label}</g>'
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<line class="grid" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
    )


def _band(x: float, y: float, width: float, height: float, title: str) -> str:
    return (
        f'<rect class="gutter" x="{x}" y="{y}" width="{width}" height="{height}" '
        f'rx="4"><title>{title}</title></rect>'
    )


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
