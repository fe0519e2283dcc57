"""Answers of a study read back: who wins, and do the readers agree?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from texedo.core.errors import FileFormatError
from texedo.evaluation.judges.human.sheet import FORMAT, KEY_FILE
from texedo.evaluation.resample import mean_interval
from texedo.evaluation.tables import Record

CHOICES = ("a", "b", "same")


class Answers(NamedTuple):
    """Of one reader: by pair, the name of the winner or None for no difference."""

    reader: str
    won: Mapping[str, str | None]


def human_report(folder: Path, files: Sequence[Path]) -> Record:
    """Wins with intervals over pairs, and agreement of every two readers."""
    key = _load(folder / KEY_FILE, "the key of a sheet")
    if key.get("format") != FORMAT:
        raise FileFormatError(
            f"{folder / KEY_FILE}: is of format {key.get('format')!r}, this version "
            f"reads {FORMAT}; read it with the version that wrote it."
        )
    sides = {row["id"]: {"a": row["a"], "b": row["b"]} for row in key["pairs"]}
    names: list[str] = key["names"]
    readers = [_read(path, str(key["study"]), sides) for path in files]
    if not readers:
        raise FileFormatError(f"{folder}: no files of answers were given.")
    return {
        "names": names,
        "pairs": len(sides),
        "readers": [reader.reader for reader in readers],
        "answers": sum(len(reader.won) for reader in readers),
        **_wins(readers, names),
        **_agreement(readers, [*names, None]),
    }


def _wins(readers: Sequence[Answers], names: Sequence[str]) -> Record:
    """Share of the answers for the first name, no difference counting half.

    Readers of one pair are averaged first: the interval is over pairs.
    """
    by_pair: dict[str, list[float]] = {}
    for reader in readers:
        for pair, winner in reader.won.items():
            won = 0.5 if winner is None else float(winner == names[0])
            by_pair.setdefault(pair, []).append(won)
    shares = np.array([np.mean(values) for values in by_pair.values()])
    value, interval = mean_interval(shares)
    everything = [winner for reader in readers for winner in reader.won.values()]
    return {
        f"wins of {names[0]}": everything.count(names[0]),
        f"wins of {names[1]}": everything.count(names[1]),
        "no difference": everything.count(None),
        f"share of {names[0]}": value,
        "share 95%": interval,
    }


def _agreement(readers: Sequence[Answers], kinds: Sequence[str | None]) -> Record:
    """Share of equal answers, and Cohen's kappa, over all pairs of readers."""
    shares, kappas = [], []
    for one, two in combinations(readers, 2):
        common = sorted(set(one.won) & set(two.won))
        if not common:
            continue
        same = float(np.mean([one.won[pair] == two.won[pair] for pair in common]))
        chance = sum(
            np.mean([one.won[pair] == kind for pair in common])
            * np.mean([two.won[pair] == kind for pair in common])
            for kind in kinds
        )
        shares.append(same)
        kappas.append(1.0 if chance == 1 else float((same - chance) / (1 - chance)))
    return {
        "pairs of readers": len(shares),
        "agreement": float(np.mean(shares)) if shares else None,
        "kappa": float(np.mean(kappas)) if kappas else None,
    }


def _read(path: Path, study: str, sides: Mapping[str, Mapping[str, str]]) -> Answers:
    record = _load(path, "saved answers")
    if record.get("study") != study:
        raise FileFormatError(
            f"{path}: answers another sheet ({record.get('study')!r}, not {study!r})."
        )
    given = record.get("answers")
    if not isinstance(given, dict):
        raise FileFormatError(f"{path}: has no answers; save them from the page.")
    won: dict[str, str | None] = {}
    for pair, choice in given.items():
        if pair not in sides or choice not in CHOICES:
            raise FileFormatError(
                f"{path}: {pair!r} is answered {choice!r}; a pair of the sheet has one "
                f"of {', '.join(CHOICES)}."
            )
        won[pair] = None if choice == "same" else sides[pair][choice]
    return Answers(str(record.get("reader") or path.stem), won)


def _load(path: Path, what: str) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileFormatError(f"{path}: is not {what} ({error}).") from None
    if not isinstance(record, dict):
        raise FileFormatError(f"{path}: is not {what}.")
    return record
