"""The report on a semantic verifier for people, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from texedo.evaluation.understanding.page import markdown


def page(report: Mapping[str, Any]) -> str:
    """Tables of all groups."""
    lines = [
        f"Semantic verifier {report['semantics']} ({report['semantics_hash'][:12]}) on "
        f"{report['split']}, seed {report['seed']}. In brackets: 95 % intervals.",
        "",
    ]
    for name, group in report["groups"].items():
        lines += _group(name, group, report["paper"])
    return "\n".join(lines)


def _group(name: str, group: Mapping[str, Any], paper: Mapping[str, Any]) -> list[str]:
    lines = [
        f"## {name}, {group['clips']} clips",
        "",
        "The true caption against a changed one, and the true motion against its mirror "
        "image; a tie counts half:",
        "",
        markdown(group["pairs"], digits=3),
    ]
    if "retrieval" in group:
        lines += _retrieval(name, group, paper)
    return lines


def _retrieval(
    name: str, group: Mapping[str, Any], paper: Mapping[str, Any]
) -> list[str]:
    retrieval = dict(group["retrieval"])
    pool = retrieval["motion to text"]["pool"]
    retrieval["chance"] = {"pool": pool, **group["chance"]}
    if name == "captured":
        retrieval["the paper's own figures, on its own data"] = {
            "clips": paper["pairs"],
            **{key: paper[key] for key in ("pool", "R@1", "R@3")},
        }
    found, calibration = group["matching"], group["calibration"]
    return [
        f"Retrieval in pools of {pool}; {group['captions alike']:.0%} of the captions "
        "have another that says the same, and those count as one:",
        "",
        markdown(retrieval, digits=3),
        f"Mean R_text of true pairs {_number(found['true pairs'])}, of others "
        f"{_number(found['other pairs'])}; gap {_number(found['gap'])}.",
        "",
        f"R_text as a probability, true against changed captions: ECE "
        f"{calibration['ece']:.3f}.",
        "",
        markdown({_span(row): _bin(row) for row in calibration["bins"]}),
    ]


def _span(row: Mapping[str, Any]) -> str:
    return f"{row['from']:.1f} to {row['to']:.1f}"


def _bin(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("true", "false", "mean R_text", "share true")
    return {name: row[name] for name in names}


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
