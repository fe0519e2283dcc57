"""The page of `texedo score --report`: the risk of each motion over time.

One file without scripts, fonts or links. The colours are variables of the style sheet, so
that the page follows the reader's choice of a light or dark screen.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from texedo.apps.files.risk_chart import risk_chart, scale_for
from texedo.apps.files.score_rows import Feasibility, Scored
from texedo.core.files import write_whole
from texedo.see.dynamics.outlook import Outlook, risk_near
from texedo.see.dynamics.scorer import guarantee_of, guarantee_text

_STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1b2129;
  --soft: #66717e; --line: #dfe4ea; --risk: #c2410c; --good: #15803d; --bad: #b91c1c;
  --track: #e8ecf0; }
@media (prefers-color-scheme: dark) { :root { --page: #12161b; --card: #1b2128;
  --ink: #e6eaef; --soft: #96a2af; --line: #2f3842; --risk: #fb923c; --good: #4ade80;
  --bad: #f87171; --track: #2a323b; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
  max-width: 960px; margin: 0 auto; padding: 32px 20px 60px; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 16px; margin: 0;
  overflow-wrap: anywhere; }
p { margin: 4px 0; } .soft { color: var(--soft); }
.motion { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 16px 18px 10px; margin: 16px 0; break-inside: avoid; }
.motion.chosen { border-color: var(--good); border-width: 2px; }
.head { display: flex; gap: 12px; align-items: baseline; flex-wrap: wrap; }
.head h2 { flex: 1 1 240px; }
.tag { border: 1px solid currentColor; border-radius: 999px; padding: 0 10px;
  font-size: 13px; white-space: nowrap; } .good { color: var(--good); }
.bad { color: var(--bad); }
dl { display: flex; flex-wrap: wrap; gap: 4px 26px; margin: 10px 0 8px; }
dl div { min-width: 72px; } dt { color: var(--soft); font-size: 12.5px; }
dd { margin: 0; font-size: 17px; font-variant-numeric: tabular-nums; }
.meter { display: inline-block; width: 76px; height: 7px; border-radius: 4px;
  background: var(--track); margin-left: 8px; vertical-align: 3px; overflow: hidden; }
.meter i { display: block; height: 100%; background: var(--good); border-radius: 4px; }
svg { display: block; width: 100%; height: auto; } svg text { font-size: 11px;
  fill: var(--soft); } .grid { stroke: var(--line); stroke-width: 1; }
.curve { fill: none; stroke: var(--risk); stroke-width: 1.8; stroke-linejoin: round; }
.area { fill: var(--risk); opacity: 0.16; } .window { fill: var(--risk);
  opacity: 0.13; } .peak { fill: var(--risk); } svg .mark { fill: var(--risk);
  font-weight: 600; font-size: 12px; } .stands { fill: var(--good); }
.track { fill: var(--track); }
"""
_CHOSEN = '<span class="tag">chosen</span>'


def write_score_report(scored: Scored, path: Path) -> None:
    """Write the page, whole or not at all; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, build_score_page(scored).encode())


def build_score_page(scored: Scored) -> str:
    """The whole page: nothing to load."""
    feasibility = scored.feasibility
    assert feasibility is not None, "There is no risk to draw."
    scale = _scale(feasibility)
    cards = "".join(
        _card(scored, feasibility, i, scale) for i in range(len(feasibility.outlooks))
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Risk over time</title><style>{_STYLE}</style></head><body>\n"
        f"{_head(scored, feasibility)}{cards}</body></html>\n"
    )


def _scale(feasibility: Feasibility) -> float:
    """One for all motions, so that curves can be compared."""
    known = [
        float(risk_near(hazard).max())
        for hazard, outlook in zip(
            feasibility.hazard or [], feasibility.outlooks, strict=False
        )
        if outlook.readable
    ]
    return scale_for(max(known, default=0.0))


def _head(scored: Scored, feasibility: Feasibility) -> str:
    verifier, passing = feasibility.verifier, sum(feasibility.passes)
    lines = [
        f"<b>{passing} of {len(feasibility.passes)}</b> motions pass: the "
        f"{feasibility.filters_by} by {escape(verifier.name)} "
        f"({escape(verifier.digest[:12])}) is above {feasibility.threshold:g}."
    ]
    promise = guarantee_of(verifier)
    if promise and feasibility.threshold >= promise["threshold"]:
        lines.append(escape(guarantee_text(promise)))
    if scored.meaning is not None:
        asked = f"Asked for: <b>{escape(scored.meaning.prompt)}</b>."
        if scored.selection is not None:
            name = escape(scored.found.names[scored.selection.index])
            asked += f" Chosen: {name}. {escape(scored.selection.reason)}"
        lines.append(asked)
    if feasibility.hazard is not None:
        lines.append(
            "The curve is the chance to fall within half a second of that moment, for a "
            "robot that gets there, on one scale for all motions; the riskiest second is "
            "shaded. The strip below fades as fewer robots are still standing."
        )
    paragraphs = "".join(f'<p class="soft">{line}</p>' for line in lines)
    return f"<header><h1>Will the robot manage it?</h1>{paragraphs}</header>\n"


def _card(scored: Scored, feasibility: Feasibility, i: int, scale: float) -> str:
    outlook, motion = feasibility.outlooks[i], scored.found.motions[i]
    passes, chosen = feasibility.passes[i], i == scored.best
    tag = "passes" if passes else "does not pass"
    hazard = None if feasibility.hazard is None else feasibility.hazard[i]
    chart = ""
    if hazard is not None and outlook.readable:
        chart = risk_chart(hazard, outlook, scale=scale)
    elif outlook.readable:
        chart = '<p class="soft">This verifier does not know the risk over time.</p>'
    return (
        f'<section class="motion{" chosen" if chosen else ""}"><div class="head">'
        f"<h2>{escape(scored.found.names[i])}</h2>"
        f"{_CHOSEN if chosen else ''}"
        f'<span class="tag {"good" if passes else "bad"}">{tag}</span></div>'
        f"<p>{escape(outlook.in_words())}</p>"
        f"{_figures(scored, outlook, i, motion.duration)}{chart}</section>\n"
    )


def _figures(scored: Scored, outlook: Outlook, i: int, seconds: float) -> str:
    cells: list[tuple[str, str]] = [("R_dyn", _number(outlook.r_dyn))]
    if scored.meaning is not None:
        cells.append(("R_text", _number(float(scored.meaning.r_text[i]))))
    cells += [
        ("finishes", _share(outlook.success)),
        ("perturbed robots that finish", _share(outlook.robust, meter=True)),
        ("tracking quality", _number(outlook.quality)),
        ("progress if it falls", _share(outlook.progress)),
        ("length", f"{seconds:.2f} s"),
    ]
    if outlook.cause:
        cells.append(("most likely cause of a fall", escape(outlook.cause)))
    inside = "".join(f"<div><dt>{n}</dt><dd>{value}</dd></div>" for n, value in cells)
    return f"<dl>{inside}</dl>"


def _number(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.3f}"


def _share(value: Any, *, meter: bool = False) -> str:
    if value is None:
        return "-"
    said = f"{100 * value:.0f} %"
    if meter:
        width = min(max(100 * value, 0.0), 100.0)
        said += f'<span class="meter"><i style="width:{width:.0f}%"></i></span>'
    return said
