"""The page of `texedo check --report`: a whole folder at a glance.

Verdicts in numbers, what fails how often, the worst motions with a strip of pictures, and
every file in one table. One file without scripts, fonts or links.
"""

from __future__ import annotations

import base64
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from html import escape
from pathlib import Path
from typing import Any

from texedo.apps.files.check_folder import VERDICTS, Checked, Options
from texedo.core.errors import TexedoError
from texedo.core.files import write_whole
from texedo.core.visible import visible
from texedo.data.report.charts import table
from texedo.formats import motion_from_clip, read_clips

MAX_STRIPS = 12
_STYLE = """
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1b2129;
  --soft: #66717e; --line: #dfe4ea; --pass: #15803d; --warn: #b7791f; --offset: #0e7490;
  --fail: #b91c1c; --unreadable: #6b21a8; }
@media (prefers-color-scheme: dark) { :root { --page: #12161b; --card: #1b2128;
  --ink: #e6eaef; --soft: #96a2af; --line: #2f3842; --pass: #4ade80; --warn: #facc15;
  --offset: #22d3ee; --fail: #f87171; --unreadable: #c084fc; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
  max-width: 1080px; margin: 0 auto; padding: 32px 20px 60px; }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 18px; margin: 30px 0 8px; }
h3 { font-size: 15px; margin: 0; overflow-wrap: anywhere; } .soft { color: var(--soft); }
.bar { display: flex; height: 16px; border-radius: 8px; overflow: hidden; margin: 14px 0; }
.bar i { display: block; } .key span { margin-right: 18px; white-space: nowrap; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 12px 16px; margin: 12px 0; break-inside: avoid; } .card p { margin: 2px 0; }
.card img { max-width: 100%; border-radius: 6px; margin-top: 8px; display: block; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: right; padding: 3px 8px; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; } th:first-child, td:first-child,
.files td { text-align: left; } summary { cursor: pointer; margin: 8px 0; }
""" + "".join(
    f".{v} {{ color: var(--{v}); }} i.{v} {{ background: var(--{v}); }}\n"
    for v in VERDICTS
)


def write_check_page(rows: Sequence[Checked], path: Path, options: Options) -> None:
    """Write the page, whole or not at all; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, build_check_page(rows, options).encode())


def build_check_page(rows: Sequence[Checked], options: Options) -> str:
    """The whole page: nothing to load."""
    ordered = sorted(rows, key=lambda row: row.badness, reverse=True)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Motions checked</title><style>{_STYLE}</style></head><body>\n"
        f"{_head(rows)}{_checks(rows)}{_worst(ordered, options)}{_files(ordered)}"
        "</body></html>\n"
    )


def _head(rows: Sequence[Checked]) -> str:
    counts = Counter(row.verdict for row in rows)
    seconds = sum(row.record.get("duration_s", 0.0) for row in rows)
    shown = [verdict for verdict in VERDICTS if counts[verdict]]
    bar = "".join(
        f'<i class="{v}" style="flex:{counts[v]}" title="{v}: {counts[v]}"></i>'
        for v in shown
    )
    key = "".join(f'<span class="{v}"><b>{counts[v]}</b> {v}</span>' for v in shown)
    return (
        f"<header><h1>{len(rows)} motions checked</h1>"
        f'<p class="soft">{seconds / 60:.1f} minutes of motion.</p>'
        f'<div class="bar">{bar}</div><p class="key">{key}</p></header>\n'
    )


def _checks(rows: Sequence[Checked]) -> str:
    """How often each check does not pass, and where it is worst."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    worst: dict[str, tuple[float, str, str]] = {}
    for row in rows:
        for check in row.record.get("checks", ()):
            name = check["name"]
            counts[name][check["verdict"]] += 1
            if name not in worst or check["value"] > worst[name][0]:
                worst[name] = (check["value"], check["unit"], visible(row.name))
    if not counts:
        return ""
    bad = [v for v in ("fail", "offset", "warn") if any(c[v] for c in counts.values())]
    body = [
        (
            name,
            *(counts[name][v] for v in bad),
            f"{worst[name][0]:.3g} {worst[name][1]}",
            worst[name][2],
        )
        for name in sorted(counts, key=lambda n: [-counts[n][v] for v in bad])
    ]
    return "<h2>What does not pass</h2>" + table(
        ("check", *bad, "worst", "where that is"), body
    )


def _worst(ordered: Sequence[Checked], options: Options) -> str:
    bad = [row for row in ordered if row.verdict not in ("pass", "unreadable")]
    if not bad:
        return ""
    chosen = bad[:MAX_STRIPS]
    cards = "".join(
        f'<div class="card"><h3><span class="{row.verdict}">{row.verdict}</span> '
        f"{escape(visible(row.name))}</h3><p>{escape(row.read)}</p>"
        f"<p>{escape(_phrases(row))}</p>{strip}</div>\n"
        for row, strip in zip(chosen, _strips(chosen, options), strict=True)
    )
    return f"<h2>The worst {len(chosen)}</h2>{cards}"


def _strips(rows: Sequence[Checked], options: Options) -> list[str]:
    """A strip of pictures of every motion; empty if it cannot be drawn any more."""
    from texedo.data.report.sheets import PANEL_SIZE, draw_sheet
    from texedo.robot.render.backend import make_renderer

    strips = []
    with closing(make_renderer(PANEL_SIZE, PANEL_SIZE, backend="software")) as renderer:
        for row in rows:
            try:
                clips = read_clips(
                    row.path, format=options.format, fps=options.fps
                ).clips
                motion = motion_from_clip(clips[row.clip], row.path)
                png = base64.b64encode(draw_sheet(motion, renderer)).decode()
                strips.append(f'<img alt="" src="data:image/png;base64,{png}">')
            except (TexedoError, OSError, LookupError):  # It has changed since.
                strips.append("")
    return strips


def _phrases(row: Checked) -> str:
    return "; ".join(_phrase(check) for check in row.faults) or row.error


def _phrase(check: dict[str, Any]) -> str:
    place = f", {check['where']}" if check["where"] else ""
    return (
        f"{check['name']} {check['value']:.3g} {check['unit']} "
        f"({check['time_s']:.2f} s{place})"
    )


def _files(ordered: Sequence[Checked]) -> str:
    """Every file: what is bad in the open, what passes behind a fold."""
    good = [row for row in ordered if row.verdict == "pass"]
    bad = [row for row in ordered if row.verdict != "pass"]
    parts = ["<h2>All files</h2>"]
    if bad:
        parts.append(f'<div class="files">{_table(bad)}</div>')
    if good:
        names = sorted(good, key=lambda row: row.name)
        parts.append(
            f"<details><summary>{len(good)} pass without a remark</summary>"
            f'<div class="files">{_table(names)}</div></details>'
        )
    return "".join(parts)


def _table(rows: Sequence[Checked]) -> str:
    body = "".join(
        f'<tr><td class="{row.verdict}">{row.verdict}</td>'
        f"<td>{escape(visible(row.name))}</td><td>{escape(row.read)}</td>"
        f"<td>{escape(_phrases(row))}</td></tr>"
        for row in rows
    )
    return f"<table><tbody>{body}</tbody></table>\n"
