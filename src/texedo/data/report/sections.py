"""The parts of the page: each takes clips and gives HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from texedo.data.corpus.assemble import Rejected
from texedo.data.corpus.splits import SPLITS
from texedo.data.corpus.store import Clip
from texedo.data.report.charts import histogram, stacked_bars, table
from texedo.data.report.words import ENOUGH, count_words, prompt_coverage

_TOP_WORDS, _TOP_SKELETONS = 60, 10


class Measure(NamedTuple):
    """One measure of quality, and how it is shown."""

    name: str
    title: str
    unit: str
    scale: float


MEASURES = (
    Measure("foot_error_mean_m", "Foot error, mean", "cm", 100.0),
    Measure("ground_penetration_max_m", "Into the floor, deepest", "cm", 100.0),
    Measure("self_penetration_max_m", "Limbs overlap, deepest", "cm", 100.0),
    Measure("skate_mean_m_s", "Foot skate in contact, mean", "cm/s", 100.0),
    Measure("joint_speed_ratio_max", "Joint speed, highest", "% of limit", 100.0),
)


def counts_section(clips: Sequence[Clip]) -> str:
    """How much there is, by kind and by split."""
    hours = sum(clip.duration for clip in clips) / 3600
    facts = [
        ("clips", len(clips)),
        ("hours", f"{hours:.2f}"),
        ("recordings", len({clip.trial for clip in clips})),
        ("subjects", len({clip.subject for clip in clips})),
        ("actions", len({clip.family for clip in clips})),
        (
            "clips of recordings that copy another",
            sum(c.copy_of is not None for c in clips),
        ),
        ("captions", sum(len(clip.captions) for clip in clips)),
    ]
    splits = _ordered(Counter(clip.split for clip in clips))
    rows = []
    for kind in [*_ordered(Counter(clip.kind for clip in clips)), "all"]:
        chosen = [c for c in clips if kind in (c.kind, "all")]
        numbers = Counter(clip.split for clip in chosen)
        length = sum(clip.duration for clip in chosen) / 3600
        cells = (numbers[split] for split in splits)
        rows.append((kind, *cells, len(chosen), f"{length:.2f}"))
    return _section(
        "Counts",
        table(("", ""), facts) + table(("kind", *splits, "clips", "hours"), rows),
    )


def durations_section(clips: Sequence[Clip]) -> str:
    """How long clips are."""
    kinds = _ordered(Counter(clip.kind for clip in clips))
    charts = [
        histogram(
            np.array([clip.duration for clip in clips if clip.kind == kind]),
            title=f"Duration, {kind}",
            unit="s",
        )
        for kind in kinds
    ]
    return _section("Durations", "".join(charts))


def actions_section(clips: Sequence[Clip]) -> str:
    """Which actions there are, and where."""
    charts = stacked_bars(
        _families(clips, lambda clip: clip.split), title="Clips by action and split"
    )
    charts += stacked_bars(
        _families(clips, lambda clip: clip.kind), title="Clips by action and kind"
    )
    return _section("Actions", charts)


def words_section(clips: Sequence[Clip]) -> str:
    """What is said, and in how many ways."""
    words = count_words(clips)
    if not words.captions:
        return _section("Words", "<p>No clip has a caption.</p>")
    without = sum(not clip.captions for clip in clips)
    common = words.skeletons.most_common(_TOP_SKELETONS)
    facts = [
        ("captions", words.captions),
        ("clips without any", without),
        ("distinct words", len(words.words)),
        ("distinct sentence skeletons", len(words.skeletons)),
        ("most frequent skeleton", f"{common[0][1] / words.captions:.2%}"),
    ]
    shares = [(text, n, f"{n / words.captions:.2%}") for text, n in common]
    lengths = histogram(
        np.array(words.lengths), title="Words in a caption", unit="words"
    )
    return _section(
        "Words",
        table(("", ""), facts)
        + lengths
        + "<h3>Most frequent words</h3>"
        + _chips(words.top(_TOP_WORDS))
        + "<h3>Most frequent sentences, with sides and numbers masked</h3>"
        + table(("skeleton", "captions", "share"), shares)
        + _prompt_words(clips),
    )


def _prompt_words(clips: Sequence[Clip]) -> str:
    counts = prompt_coverage(clip for clip in clips if clip.split == "train")
    rare = {word for word, number in counts.items() if number < ENOUGH}
    verdict = (
        f"{len(rare)} of {len(counts)} occur in fewer than {ENOUGH}: "
        f"{', '.join(sorted(rare))}."
        if rare
        else f"All {len(counts)} occur in {ENOUGH} or more."
    )
    return (
        "<h3>Words of the real-robot prompts, by training captions</h3>"
        f"<p>{escape(verdict)}</p>" + _chips(counts.items(), rare=rare)
    )


def quality_section(clips: Sequence[Clip]) -> str:
    """How well clips fit the robot; one value a clip."""
    charts, rows = [], []
    for measure in MEASURES:
        values = {
            kind: np.array(
                [
                    clip.quality[measure.name] * measure.scale
                    for clip in clips
                    if clip.kind == kind and measure.name in clip.quality
                ]
            )
            for kind in _ordered(Counter(clip.kind for clip in clips))
        }
        measured = [v for v in values.values() if len(v)]
        if not measured:
            continue
        charts.append(
            histogram(np.concatenate(measured), title=measure.title, unit=measure.unit)
        )
        for kind, array in values.items():
            if len(array):
                spread = (array.mean(), *np.percentile(array, (50, 95, 99, 100)))
                cells = (f"{value:.3g}" for value in spread)
                name = f"{measure.title} [{measure.unit}]"
                rows.append((name, kind, len(array), *cells))
    if not charts:
        return _section("Quality", "<p>No clip carries measures of quality.</p>")
    header = ("measure", "kind", "clips", "mean", "median", "95 %", "99 %", "highest")
    return _section("Quality", "".join(charts) + table(header, rows))


def rejected_section(rejected: Sequence[Rejected]) -> str:
    """Why recordings, or parts of them, are not here."""
    if not rejected:
        return _section("Rejected", "<p>Nothing is known to have been rejected.</p>")
    dropped = Counter(r for row in rejected if not row.kept for r in row.reasons)
    shortened = Counter(r for row in rejected if row.kept for r in row.reasons)
    reasons = _ordered(dropped + shortened)
    rows = [(reason, dropped[reason], shortened[reason]) for reason in reasons]
    return _section(
        "Rejected",
        "<p>Windows or recordings; one may have several reasons.</p>"
        + table(("reason", "rejected", "shortened"), rows),
    )


def _families(
    clips: Sequence[Clip], part: Callable[[Clip], str]
) -> dict[str, dict[str, int]]:
    """Numbers by family, the largest first, and by part."""
    parts = _ordered(Counter(map(part, clips)))
    counts = Counter((clip.family, part(clip)) for clip in clips)
    sizes = Counter(clip.family for clip in clips)
    families = sorted(sizes, key=lambda family: (-sizes[family], family))
    return {f: {p: counts[f, p] for p in parts if counts[f, p]} for f in families}


def _ordered(counts: Counter[str]) -> list[str]:
    """Splits in their own order, everything else by number."""
    known = [split for split in SPLITS if split in counts]
    others = sorted(counts.keys() - set(known), key=lambda name: (-counts[name], name))
    return known + others


def _chips(
    items: Iterable[tuple[str, int]], *, rare: Iterable[str] = frozenset()
) -> str:
    rare = set(rare)
    chips = (
        f'<span class="{"rare" if word in rare else "chip"}">{escape(word)} '
        f"<b>{number}</b></span>"
        for word, number in items
    )
    return f"<p>{' '.join(chips)}</p>"


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>\n"
