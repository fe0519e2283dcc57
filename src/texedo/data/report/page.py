"""The page: all sections, and pictures of clips beside their captions."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from texedo.core.atomic import atomic_file
from texedo.core.errors import FileFormatError
from texedo.data.corpus.assemble import Rejected
from texedo.data.corpus.build import REJECTED_FILE
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.report.sections import (
    actions_section,
    counts_section,
    durations_section,
    quality_section,
    rejected_section,
    words_section,
)
from texedo.data.report.sheets import Sheet, draw_sheets

Report = Callable[[int, int], None]
"""Called with the number of strips done and to do."""

_STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; color: #1e242c; background: #fff;
  max-width: 1320px; margin: 24px auto; padding: 0 20px; }
h1 { font-size: 24px; } h2 { font-size: 18px; border-bottom: 1px solid #d5dae0; }
h3 { font-size: 14px; margin: 18px 0 6px; }
table { border-collapse: collapse; margin: 8px 24px 12px 0; display: inline-table;
  vertical-align: top; }
th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #eceff2; }
th:first-child, td:first-child { text-align: left; }
svg { margin: 6px 18px 6px 0; vertical-align: top; } svg text { font-size: 11px; }
.chip, .rare { display: inline-block; background: #eef2f6; border-radius: 4px;
  padding: 0 6px; margin: 1px 0; } .rare { background: #f6d5d5; }
.strip { display: flex; gap: 16px; margin: 0 0 14px; }
.strip img { flex: none; } .strip p { margin: 0 0 2px; } .strip ul { margin: 4px 0;
  padding-left: 18px; } .about { color: #5d6874; }
@media (max-width: 1000px) { .strip { flex-direction: column; } }
"""


def write_report(
    corpus: Corpus,
    path: Path,
    *,
    rejected: Sequence[Rejected] = (),
    sheets: int = 24,
    seed: int = 0,
    report: Report | None = None,
) -> int:
    """Write the page of a corpus; its size in bytes.

    `rejected` is what did not get in, see `read_rejected`.
    """
    if sheets < 0:
        raise FileFormatError(f"The number of sheets cannot be negative, got {sheets}.")
    with atomic_file(path) as temporary:
        drawn = list(draw_sheets(corpus, number=sheets, seed=seed, report=report))
        page = build_page(corpus, rejected=rejected, sheets=drawn)
        temporary.write_text(page, encoding="utf-8", newline="\n")
    return path.stat().st_size


def read_rejected(folder: Path) -> list[Rejected]:
    """Rows of the folder's `rejected.jsonl`; none if it has none."""
    path = folder / REJECTED_FILE
    if not path.is_file():
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [Rejected(**json.loads(line)) for line in lines]
    except (OSError, ValueError, TypeError) as error:
        raise FileFormatError(
            f"{path} cannot be read: {error!r}; build the corpus again, or remove it."
        ) from error


def build_page(
    corpus: Corpus, *, rejected: Sequence[Rejected], sheets: list[Sheet]
) -> str:
    """The whole page: no script, no link, nothing to load."""
    clips = corpus.clips
    sections = (
        counts_section(clips),
        durations_section(clips),
        actions_section(clips),
        words_section(clips),
        quality_section(clips),
        rejected_section(rejected),
        _sheets_section(corpus, sheets),
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Corpus report</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>Corpus report</h1>\n{''.join(sections)}</body></html>\n"
    )


def _sheets_section(corpus: Corpus, sheets: list[Sheet]) -> str:
    if not sheets:
        return ""
    strips = "".join(_strip(corpus.clips[sheet.clip], sheet.png) for sheet in sheets)
    return f"<section><h2>{len(sheets)} random clips</h2>{strips}</section>\n"


def _strip(clip: Clip, png: bytes) -> str:
    image = base64.b64encode(png).decode()
    about = (clip.family, clip.split, clip.kind, f"{clip.duration:.1f} s")
    captions = "".join(f"<li>{escape(text)}</li>" for text in clip.captions)
    described = f'<p class="about">“{escape(clip.description)}”</p>'
    return (
        f'<div class="strip"><img alt="{escape(clip.id)}" '
        f'src="data:image/png;base64,{image}"><div>'
        f"<p><b>{escape(clip.id)}</b> "
        f'<span class="about">{escape(", ".join(about))}</span></p>'
        f"{described if clip.description else ''}"
        f"<ul>{captions}</ul></div></div>\n"
    )
