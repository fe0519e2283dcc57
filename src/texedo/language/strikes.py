"""Punches called one after the other: "jab jab cross", "one two", "left right left"."""

from __future__ import annotations

import re

_SURE = re.compile(r"\b(?:jabs?|uppercuts?|boxing|punch(?:es)?|left hook|right hook)\b")
"""What else would be no fight: "cross" and "hook" alone may be."""
_STRIKE = (
    r"(?:(?:left|right|lead|rear|double|quick|big|strong|hard) )?"
    r"(?:jab|cross|hook|uppercut|overhand|roundhouse|(?:front |low |high |side )?kick"
    r"|knee"
    r"|elbow|punch|straight|slip|duck|block|dodge|weave|feint)"
    r"(?: (?:once|twice|\w+ times))?"
)
_RUN = re.compile(
    rf"(?P<before>^|[,.:] |\b(?:and|then|do"
    rf"|throw) )(?P<run>{_STRIKE}(?:,? (?:and )?(?:then )?"
    rf"{_STRIKE})+)(?= combo| combination|$|[,.:]| (?:and|then|while|with|to|at|on"
    rf"|in)\b)"
    r"(?: combo| combination)?"
)
_ALONE = re.compile(
    r"(?P<before>[,.:] |\b(?:and|then) )(?:an? )?"
    r"(?P<run>(?:(?:left|right|big|quick) )?(?:cross|hook|uppercut|overhand)"
    r"|(?:left|right) (?:jab|punch|kick|knee|elbow))(?=$|[,.:])"
)
_ONE = re.compile(rf"{_STRIKE}(?=$|,| )")
_DEEDS = re.compile(r"(?:kick|punch|slip|duck|block|dodge|weave|feint)\b")
_OFTEN = re.compile(r"(?P<strike>.*) (?P<often>twice|\w+ times)")
_CALLED = re.compile(
    r"(?P<before>^|[,:] |\b(?:and|then|do"
    r"|throw)(?: an?)? )(?P<called>one,? two(?:,? three)?)"
    r"(?= combo| combination|$|[,.:]| (?:and|then)\b)(?: combo| combination)?"
)
_CALLS = ("throw a jab", "throw a cross", "throw a hook")
_HANDS = re.compile(
    r"(?P<before>[,:] |\b(?:and|then|do|combo:?|punch(?: with)?:?"
    r"|box) )(?P<hands>(?:left|right)"
    r"(?:,? (?:and )?(?:left|right))+)(?=$|[,.:]| (?:and|then)\b)"
)
_FIGHT = re.compile(
    r"\b(?:boxing|boxer|box|jab|punch(?:es)?|combo|uppercut|left hook|right hook)\b"
)


def strikes_ordered(text: str) -> str:
    """With every punch as an order; a text without a fight as it is."""
    if not _FIGHT.search(text) and not _SURE.search(text):
        return text
    if _FIGHT.search(text):
        text = _HANDS.sub(_by_hands, text)
        text = _CALLED.sub(_by_number, text)
    if _SURE.search(text):
        text = _RUN.sub(_each, text)
        if re.search(r"(?:^|, |then |and )(?:jabs?|throw|punch)\b", text):
            text = _ALONE.sub(_thrown, text)
    return text


def _by_hands(match: re.Match[str]) -> str:
    hands = re.findall(r"left|right", match["hands"])
    before = match["before"]
    if before.startswith("box"):
        before = "box, "
    return ("" if before.startswith(("do", "punch")) else before) + ", ".join(
        f"punch with the {hand} hand" for hand in hands
    )


def _by_number(match: re.Match[str]) -> str:
    count = len(re.findall(r"\w+", match["called"]))
    before = "" if match["before"].startswith(("do", "throw")) else match["before"]
    return re.sub(r" an? $", " ", before) + _listed(list(_CALLS[:count]))


def _each(match: re.Match[str]) -> str:
    orders = [_order(found.group()) for found in _ONE.finditer(match["run"])]
    before = "" if match["before"] in ("do ", "throw ") else match["before"]
    return before + _listed(orders)


def _thrown(match: re.Match[str]) -> str:
    return match["before"] + _order(match["run"])


def _order(strike: str) -> str:
    """ "Left hook" as "throw a left hook", "jab twice" as it is."""
    if _DEEDS.match(strike):
        return strike
    verb = "do" if re.match(r"roundhouse|.* kick$", strike) else ("throw")
    if counted := _OFTEN.fullmatch(strike):
        count = {"twice": "two"}.get(counted["often"], counted["often"])
        return f"{verb} {count.removesuffix(' times')} {counted['strike']}s"
    return f"{verb} {'an' if strike[0] in 'aeiou' else 'a'} {strike}"


def _listed(orders: list[str]) -> str:
    """The last one after "then"."""
    return f"{', '.join(orders[:-1])}, then {orders[-1]}" if orders[1:] else orders[0]
