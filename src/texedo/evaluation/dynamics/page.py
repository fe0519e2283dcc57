"""The report on dynamic verifiers for people, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from texedo.evaluation.dynamics import paper
from texedo.evaluation.dynamics.robots import ROBOTS
from texedo.evaluation.understanding.page import markdown

Record = dict[str, Any]


def page(report: Mapping[str, Any]) -> str:
    """Tables of every suite, the promise and the settings of the generator."""
    lines = [
        "In brackets: 95 % intervals, prompts drawn again (Wilson's for shares of one "
        f"choice per prompt). Labels: {report['labels']}.",
        "",
    ]
    for name, own in report["verifiers"].items():
        lines.append(
            f"- {name}: {own['name']} ({own['hash'][:12]}), threshold "
            f"{own['threshold']:.3f} of the {own['filters_by']}"
        )
    lines.append("")
    for suite, found in report["suites"].items():
        lines += _suite(suite, found, report["robots"].get(suite))
    if "guarantee" in report:
        lines += _guarantee(report["guarantee"])
    for name, rows in report.get("boldness", {}).items():
        lines += [
            f"## Settings of the generator, {name}",
            "",
            "Candidates for held-out captions: how far the joints travel, in all, and "
            "whether a random one and the one that R_dyn chooses succeed:",
            "",
            markdown(rows, digits=3),
        ]
    return "\n".join(lines)


def _suite(name: str, found: Mapping[str, Record], robots: Record | None) -> list[str]:
    first = next(iter(found.values()))
    counts, robust = first["success"], first["robust"]
    said = "" if robust is None else f"; {robust:.4f} over perturbed robots"
    unread = {n: own["unread"] for n, own in found.items() if own["unread"]}

    def compared(table: str, theirs: Record) -> str:
        performed = {} if robots is None else {ROBOTS: robots[table]}
        rows = {**_each(found, table), **performed, paper.PAPER: theirs}
        return markdown(rows, digits=3)

    lines = [
        f"## {name}: {counts['n']} motions of {counts['groups']} prompts",
        "",
        f"{counts['failures']} fail: success {1 - counts['base rate']:.4f}{said}."
        + "".join(f" {n} could not read {k}." for n, k in unread.items()),
        "",
        "Success head, and who is refused at the threshold (base rate: the "
        "share of failures, which is the AUPRC of a coin):",
        "",
        compared("success", paper.HEADS),
        "Rank correlations of the other heads, and how often the most likely "
        "termination and body part of a failure are among the true ones:",
        "",
        compared("others", paper.OTHERS),
        "Kendall's tau-b of R_dyn with Q* within a prompt:",
        "",
        compared("tau", paper.TAU),
        "Time of the fall on failures, and alarms (a chance to fail within a second of "
        "more than 1 - threshold):",
        "",
        markdown(_each(found, "falls"), digits=3),
    ]
    for verifier, own in found.items():
        lines += _one(f"{name}, {verifier}", own)
    return lines


def _one(title: str, own: Record) -> list[str]:
    lines = [f"### {title}", ""]
    if any(row["prompts"] for row in own["rewards"].values()):
        lines += [
            "Rewards at N = 8, what they choose (all-fail draws: how many of the prompts "
            "are expected to have eight failures):",
            "",
            markdown(_with_paper(own["rewards"]), digits=3),
        ]
    for key, words in (
        ("choice", "Success of the best of N by R_dyn"),
        ("choice, perturbed", "The same over perturbed robots"),
    ):
        if own[key]:
            lines += [f"{words}:", "", markdown(own[key], digits=4)]
    lines += [
        "Calibration, 15 bins of equal size:",
        "",
        markdown({k: _no_bins(row) for k, row in own["calibration"].items()}, digits=4),
        "By recipe, most failures first:",
        "",
        markdown(own["recipes"], digits=3),
        "By family:",
        "",
        markdown(own["families"], digits=3),
    ]
    return lines


def _guarantee(found: Record) -> list[str]:
    mix = "each of them" if found["each"] else "all prompts together"
    return [
        f"## The promise on other prompts: at most {100 * found['max_failure']:g} % fail",
        "",
        f"A threshold chosen on half of the prompts of {', '.join(found['suites'])}, "
        f"measured on the other half ({mix}); tested with confidence "
        f"{found['confidence']:g}, and by conformal risk control on average:",
        "",
        markdown(found["rows"], digits=4),
    ]


def _each(found: Mapping[str, Record], key: str) -> dict[str, Record]:
    return {name: own[key] for name, own in found.items()}


def _with_paper(rows: Mapping[str, Record]) -> dict[str, Record]:
    names = ("paper: success", "paper: Q*", "paper: all-fail progress")
    return {
        key: {**row, **dict(zip(names, paper.REWARDS[key], strict=True))}
        for key, row in rows.items()
    }


def _no_bins(row: Record) -> Record:
    return {key: value for key, value in row.items() if key != "bins"}
