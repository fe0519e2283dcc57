"""The page as a whole: what was asked, what was chosen, and everything else on demand."""

from __future__ import annotations

import math
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from texedo.pipeline.account import Account
from texedo.pipeline.page.figures import passes
from texedo.pipeline.page.payload import as_script_text, payload
from texedo.pipeline.page.scatter import scatter
from texedo.pipeline.page.tables import candidate_table, pair_table, plain
from texedo.see.dynamics.scorer import guarantee_text

SCRIPTS = (
    "space.js",
    "robot.js",
    "solid.js",
    "flat.js",
    "view.js",
    "player.js",
    "risk.js",
    "strips.js",
    "table.js",
    "main.js",
)
"""In the order in which one builds on another."""

# Whatever a text on the page may contain: nothing is ever loaded or sent.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)


def report_html(account: Account) -> str:
    """The whole page as text."""
    prompt = escape(account.prompt)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{prompt}</title><link rel="icon" href="data:,">'
        f"<style>{_asset('page.css')}</style></head><body>\n"
        f"{_header(account)}<main>{_stage(account)}{_strips(account)}"
        f"{_table(account)}{_settings(account)}</main>\n"
        '<script type="application/json" id="run">'
        f"{as_script_text(payload(account))}</script>\n"
        f"<script>{_script()}</script></body></html>\n"
    )


@cache
def _asset(name: str) -> str:
    place = files("texedo.pipeline.page") / "assets" / name
    return place.read_text(encoding="utf-8")


@cache
def _script() -> str:
    """All scripts as one, with names of their own."""
    inside = "\n".join(_asset(name) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{inside}\n}})();'


def _header(account: Account) -> str:
    lines = [
        f'<p class="choice"><b>Candidate {account.chosen}</b>. {_why(account)}</p>'
    ]
    if account.read_as and account.read_as != account.prompt:
        lines.append(f'<p class="soft">Read as: {escape(account.read_as)}</p>')
    if promise := _promise(account):
        lines.append(f'<p class="soft">{escape(promise)}</p>')
    if total := sum(account.rejected.values()):
        said = ", ".join(f"{count} {why}" for why, count in account.rejected.items())
        of = f"{total} of {len(account.candidates)}"
        lines.append(f'<p class="soft">Not chosen: {of}: {escape(said)}.</p>')
    lines += [f'<p class="remark">{escape(text)}</p>' for text in account.remarks]
    return f"<header><h1>{escape(account.prompt)}</h1>{''.join(lines)}</header>\n"


def _why(account: Account) -> str:
    text = account.why.strip()
    return escape(text if text.endswith((".", "!", "?")) or not text else f"{text}.")


def _promise(account: Account) -> str:
    """The guarantee, if the winner is covered by it and somebody measured it."""
    guarantee = account.guarantee
    if not guarantee or not passes(account.winner, account):
        return ""
    try:
        return guarantee_text(guarantee)
    except (KeyError, TypeError, ValueError):
        return ""


def _stage(account: Account) -> str:
    """The player beside the scatter, the risk below."""
    last = len(account.candidates) - 1
    return (
        '<section class="stage"><div class="card player" id="player">'
        '<div class="head"><h2 id="shown" aria-live="polite">Candidate '
        f'{account.chosen}</h2><span class="buttons">'
        '<button type="button" id="previous" title="previous candidate (p)" '
        'aria-label="previous candidate">&#8592;</button>'
        f'<label class="pick">candidate <input id="pick" type="number" min="0" '
        f'max="{last}" value="{account.chosen}"></label>'
        '<button type="button" id="next" title="next candidate (n)" '
        'aria-label="next candidate">&#8594;</button></span></div>'
        '<div id="scene" class="scene"></div>'
        f"{_controls()}"
        '<p class="soft small" id="hint"></p>'
        "<noscript><p>The player needs JavaScript; nothing is loaded from anywhere."
        "</p></noscript></div>"
        f'<div class="card"><h2>All {len(account.candidates)} candidates</h2>'
        f"{scatter(account)}{_legend(account)}"
        '<p id="reason"></p><dl id="facts"></dl></div>'
        '<div class="card across"><h2>Risk over time</h2><div id="risk"></div></div>'
        "</section>\n"
    )


def _controls() -> str:
    speeds = "".join(
        f'<option value="{speed}"{" selected" if speed == 1 else ""}>{speed:g}×</option>'
        for speed in (0.25, 0.5, 1, 2)
    )
    return (
        '<div class="controls"><button type="button" id="play" title="space">Play'
        '</button><input id="scrub" type="range" min="0" max="1" step="0.02" value="0" '
        'aria-label="time in seconds"><output id="time">0.00 s</output>'
        f'<label>speed <select id="speed">{speeds}</select></label>'
        '<label><input id="follow" type="checkbox" checked> follow</label>'
        '<label>drawing <select id="drawing"><option value="solid">solid</option>'
        '<option value="lines">lines</option></select></label>'
        '<label id="performed-label" hidden><input id="performed" type="checkbox" '
        "checked> as performed, the motion in blue</label>"
        '<button type="button" id="home" title="camera as at the start (0)">Reset view'
        "</button></div>"
    )


def _legend(account: Account) -> str:
    if not any(math.isfinite(account.screened(c)) for c in account.candidates):
        return ""
    return (
        f'<p class="soft small">Disc: {account.screen} above the threshold; ring: not. '
        "The large one is the choice, the numbered ones would have been next.</p>"
    )


def _strips(account: Account) -> str:
    beside = " and the runners-up" if account.runners_up else ""
    return (
        f'<section class="card"><h2>The choice{beside}</h2>'
        '<div id="strips"></div></section>\n'
    )


def _table(account: Account) -> str:
    performed = any(c.performed is not None for c in account.candidates)
    said = "" if performed else '<p class="soft">No candidate was performed.</p>'
    return (
        f'<section class="card"><h2>Every candidate</h2>{said}'
        f"{candidate_table(account)}</section>\n"
    )


def _settings(account: Account) -> str:
    # What a request says of itself stands once, be it there or not.
    known: dict[str, Any] = {"rule": account.rule}
    if math.isfinite(account.threshold):
        known["threshold"] = account.threshold
    if account.version:
        known["texedo"] = account.version
    known |= {k: v for k, v in account.settings.items() if k != "prompt"}
    seconds = [(k, f"{v:.2f} s") for k, v in account.seconds.items()]
    parts = (
        ("Settings", pair_table(plain(known))),
        ("Seconds", pair_table(seconds)),
        ("sha256", pair_table(account.weights.items(), name="pairs hashes")),
    )
    inside = "".join(
        f"<div><h3>{name}</h3>{table}</div>" for name, table in parts if table
    )
    return f'<section class="card settings"><h2>How it was made</h2>{inside}</section>'
