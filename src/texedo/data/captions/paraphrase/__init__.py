"""Other wordings with the same meaning: `paraphrases(text, number=..., choice=...)`.

In: a sentence about a motion, ours or anybody's. Out: up to `number` others that are
true of exactly the same motions: told as an order, of somebody else, in another form
(`forms`), with counts and angles put another way (`amounts`), and with other words for
speed, sides and places (`words`). Sides, counts, angles and the order of things stay.
What does not come apart cleanly keeps its form and only changes its words.
"""

from __future__ import annotations

from texedo.data.captions.choice import Choice
from texedo.data.captions.grammar import fix_articles
from texedo.data.captions.paraphrase.amounts import reword_amounts
from texedo.data.captions.paraphrase.forms import retell
from texedo.data.captions.paraphrase.words import reword
from texedo.data.captions.readings import read

_SPARE_TRIES = 3
"""Attempts beyond one for each paraphrase: many sentences allow only a few."""


def paraphrases(text: str, *, number: int, choice: Choice) -> list[str]:
    """At most `number` other wordings, none twice; none at all if no rule fits."""
    reading = read(text)
    plain = text.strip().rstrip(".!")
    seen = {_key(text)}
    found: list[str] = []
    for _ in range(number + _SPARE_TRIES):
        if len(found) == number:
            break
        other = plain
        if reading is not None and choice.chance(0.8):
            other = retell(reading, choice) or plain
        other = reword(reword_amounts(other, choice), choice)
        if (key := _key(other)) in seen:
            continue
        seen.add(key)
        found.append(_dress(other, choice))
    return found


def _key(text: str) -> str:
    return text.lower().strip(" .!?")


def _dress(text: str, choice: Choice) -> str:
    """Capitals and stops as people use them, or do not."""
    text = fix_articles(text)
    style = choice.weighted({"plain": 50, "stop": 15, "both": 30, "mark": 5})
    if style == "plain":
        return text
    if style != "stop":
        text = text[:1].upper() + text[1:]
    if text.endswith("?"):
        return text
    return text + ("!" if style == "mark" else ".")
