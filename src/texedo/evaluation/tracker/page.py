"""The report on a tracker as a page of markdown."""

from __future__ import annotations

from texedo.evaluation.tracker.figures import GROUPS, TURN, Record

_COLUMNS = (
    ("clips", "rolled_out", "{:d}"),
    ("success", "success", "{:.3f}"),
    ("E_mpjpe-l", "e_mpjpe_mm", "{:.1f}"),
    ("E_vel", "e_vel_mm", "{:.2f}"),
    ("E_acc", "e_acc_mm", "{:.2f}"),
    ("Q*", "q_star_successes", "{:.3f}"),
    ("drift", "drift_m", "{:.2f}"),
    ("saturated", "saturation", "{:.2%}"),
    ("slip", "foot_slip_m_s", "{:.3f}"),
    ("perturbed", "perturbed_success", "{:.3f}"),
)


def markdown(report: Record) -> str:
    lines = [
        f"# Tracker `{report['tracker']}` on captured test clips",
        "",
        f"Hash `{report['tracker_hash'][:16]}`, oracle version "
        f"{report['oracle_version']}, corpus `{report['corpus']}`. Success with its "
        "Wilson 95 % interval. Errors (mm, mm/frame, mm/frame^2), Q*, drift (m), "
        "saturated motors and slip (m/s) are means over the successes; `perturbed` is "
        "the share of perturbed roll-outs (five robots per clip) that succeed.",
    ]
    if report["normalizers"] is None:
        lines += ["", "Q* is unknown: the tracker has no normalisers yet."]
    for split, part in report["splits"].items():
        lines += ["", f"## {split}", "", *_headline(part), ""]
        defined = [f"{name} = {' + '.join(m)}" for name, m in GROUPS.items()]
        lines += _table({"all": part["all"], **part["groups"]}, "group")
        lines += [
            "",
            f"Groups: {'; '.join(defined)}; with a turn = heading changes by ",
        ]
        lines[-1] += f"{TURN:g} degrees or more, any family. The rest is in no group."
        lines += ["", *_table(part["families"], "family")]
        lines += ["", f"### Failures ({len(part['failures'])})", "", *_failures(part)]
    return "\n".join([*lines, "", *_rejected(report["rejected"]), ""])


def _headline(part: Record) -> list[str]:
    everything = part["all"]
    if not everything["rolled_out"]:
        return ["Nothing was rolled out."]
    text = (
        f"{everything['successes']} of {everything['rolled_out']} clips succeed: "
        f"{everything['success']:.3f} [{everything['success_low']:.3f}, "
        f"{everything['success_high']:.3f}]; mean over {len(part['families'])} families "
        f"{part['macro_success']:.3f}; progress {everything['progress']:.3f}."
    )
    if everything["perturbed_roll_outs"]:
        text += (
            f" Perturbed: {everything['perturbed_success']:.3f} of "
            f"{everything['perturbed_roll_outs']} roll-outs"
        )
        if everything["perturbed_all_five"] is not None:
            text += (
                "; all five robots succeed on "
                f"{everything['perturbed_all_five']:.3f} of the clips"
            )
        text += "."
    lost = part["not_rolled_out"]
    if lost:
        text += f" {len(lost)} clips could not be rolled out: {', '.join(lost)}."
    return [text]


def _table(rows: dict[str, Record], first: str) -> list[str]:
    names = [first, *(name for name, _, _ in _COLUMNS)]
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    for name, row in rows.items():
        cells = [name]
        for _, key, form in _COLUMNS:
            cells.append("-" if row[key] is None else form.format(row[key]))
        if row["success"] is not None:
            cells[2] += f" [{row['success_low']:.2f}, {row['success_high']:.2f}]"
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _failures(part: Record) -> list[str]:
    lines = [
        "| clip | family | description | reason | frame |",
        "|---|---|---|---|---|",
    ]
    for row in part["failures"]:
        text = row["description"].replace("|", "/")
        lines.append(
            f"| {row['clip']} | {row['family']} | {text} | {row['reason']} | "
            f"{row['frame']} of {row['frames']} |"
        )
    return lines


def _rejected(rejected: Record) -> list[str]:
    def words(counts: dict[str, int]) -> str:
        return ", ".join(f"{name} {n}" for name, n in counts.items()) or "none"

    return [
        "## Not in the corpus",
        "",
        f"{rejected['dropped']} windows of recordings were dropped when the corpus was "
        f"made ({words(rejected['dropped_by_reason'])}), and {rejected['shortened']} "
        f"shortened ({words(rejected['shortened_by_reason'])}). A window may have "
        "several reasons. Of the subjects of test-subject, dropped: "
        f"{words(rejected['dropped_of_test_subjects'])}.",
    ]
