"""All suites of a results folder on one page: `results.md` and `index.html`.

Suites with tables of figures come first; then what the other commands of
`texedo evaluate` wrote there as Markdown, as they wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from texedo import __version__
from texedo.core.files import write_whole
from texedo.evaluation.suites.folder import read_reports
from texedo.evaluation.suites.page import INTERVALS, html_page, markdown_page
from texedo.evaluation.suites.sections import html_section, markdown_section

ORDER = (
    "selection",
    "best-of-n",
    "unseen-generator",
    "ood",
    "robot-prompts",
    "latency",
    "scale",
    "scale-cuda",
)
"""Of the sections; others follow by name."""
PAGE = "results.md"


def results_page(
    out: Path,
    *,
    command: str,
    others: Mapping[str, Path] | None = None,
    left_out: Mapping[str, str] | None = None,
    pictures: str = "",
) -> str:
    """The page as Markdown; `pictures` is where the suites' folders lie, seen from it."""
    lines = [
        "# Results",
        "",
        f"Written by `{command}` (texedo {__version__}); not by hand. {INTERVALS}",
        "",
    ]
    for record in _in_order(read_reports(out)):
        place = f"{pictures}{record['suite']}/"
        lines.append(markdown_page(record, level=2, pictures=place))
    for name, path in (others or {}).items():
        if path.is_file():
            lines.append(markdown_section(name, path.read_text(encoding="utf-8")))
    if left_out:
        lines += ["## Left out", ""]
        lines += [f"- `{name}`: {why}" for name, why in left_out.items()]
    text = "\n".join(lines).rstrip() + "\n"
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text


def write_results(
    out: Path, text: str, *, others: Mapping[str, Path] | None = None
) -> None:
    """The page and the same with pictures in it, in the folder itself."""
    write_whole(out / PAGE, text.encode())
    sections = [
        html_section(name, path.read_text(encoding="utf-8"))
        for name, path in (others or {}).items()
        if path.is_file()
    ]
    records = _in_order(read_reports(out))
    if records or sections:
        page = html_page(records, charts=out, title="Results", sections=sections)
        write_whole(out / "index.html", page.encode())


def copy_page(text: str, out: Path, page: Path) -> None:
    """The page somewhere else, its pictures in a folder beside it."""
    folder = page.parent / "images" / page.stem
    for record in read_reports(out):
        for name in record["charts"]:
            source = out / record["suite"] / name
            target = folder / record["suite"] / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                write_whole(target, source.read_bytes())
    page.parent.mkdir(parents=True, exist_ok=True)
    write_whole(page, text.encode())


def _in_order(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    known = {name: place for place, name in enumerate(ORDER)}
    return sorted(
        records, key=lambda own: (known.get(own["suite"], len(ORDER)), own["suite"])
    )
