"""What people ask for, put in plainer words: one clause or the whole text at a time.

"Robot turn left" is "turn left", "come walk here" is "walk here", "clap clap" is "clap
twice", "right hand wave" is "wave with the right hand".
"""

from __future__ import annotations

import re

from texedo.language.deeds import ordered_deed
from texedo.language.leading import LIMBS, is_order
from texedo.language.person import Knows, gives_order, is_verb, tells
from texedo.language.rewriting import apply, rules

_ROLE = (
    r"robot|humanoid|man|woman|person|guy|girl|boy|kid|child|human|figure"
    r"|character|subject"
)
_NOBODY = re.compile(rf"^(?!figure skate)(?P<who>{_ROLE}) (?=(?P<deed>[a-z]+s)\b)")
_TOLD_TO = re.compile(
    rf"(?:(?:hey|hi|ok|okay) )?(?:the )?(?:g1|{_ROLE}|everybody|everyone|kids|class"
    rf"|folks) "
)
""" "Robot turn left": an order to it."""
_DANCE = re.compile(rf"(?:{_ROLE}) (?:walk|dance|run|march)(?: (?:with|like) .*|,.*)?")
_IT = re.compile(
    r"^it (?:\w+ly )?(?=(?P<deed>[a-z]+s)\b)(?!(?:looks|seems|is|was|has|feels) )"
)
_SOMEBODY = re.compile(
    rf"^(?:(?:an?|the|one|this|that|some) )?(?:\w+ ){{0,2}}(?:{_ROLE})s? \w+"
)
_MOVES = (
    r"reach|come|go|work|drop|lift|rise|swing|move|raise|hang|open|fall|stay"
    r"|bring|follow"
)
_TOLD = re.compile(
    r"^(?:he|she|they|it|someone|somebody)\b|\bthey\b|\bcomes? first\b"
    r"|(?:^|[,.:] |\b(?:and|then|as|while) )(?:he|she|it|someone) (?:\w+ly )?\w+s\b"
    r"|(?:^|[,.:] |\b(?:and|then|as|while) )the (?:\w+ ){1,2}(?:\w+ly )?\w+s\b"
    rf"|\b(?:both|the) (?:arms|hands|legs|feet|fists|knees|elbows) (?:{_MOVES})\b"
)
"""Told of somebody."""
_ELSE = re.compile(
    r"\b(?:while|as|where|until) (?:the|both|his|her|one)(?: \w+){1,2} (?!up|down"
    r"|out)[a-z]+"
)
"""What others do, or parts of the body."""
_LIMB_FIRST = re.compile(
    r"(?P<limb>(?:left|right) (?:hand|arm|leg|foot|knee|elbow|fist)) (?P<deed>wave|kick"
    r"|punch|jab|stomp|tap|salute|swing|raise|lift|lower)(?P<rest>(?=$| ).*)"
)
_WITH_LIMB = re.compile(
    rf"(?P<limb>with (?:your|the|both|one|left|right)(?: \w+){{0,2}}? (?:{LIMBS})),? "
    r"(?P<order>.+)"
)
_NUMBER = r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_LATER = re.compile(
    r"after (?P<time>an? (?:(?:short|long|brief|little) )?(?:moment|beat|pause|while"
    r"|second)"
    rf"|(?:{_NUMBER}) seconds?),? (?P<order>.+)"
)
_SERIAL = re.compile(
    r"(?P<before>^|[,.:] |\b(?:and|then) )(?:come|go) (?=(?P<order>.+))"
)
_NO_SERIAL = re.compile(
    r"(?:close|limp|near|round|free|open|clean|clear|low|still|steady|back|head"
    r"|face|circle|start|end)\b"
)
_REPEATED = re.compile(r"\b(?P<verb>[a-z]{3,})(?: (?P=verb))+\b")
_TIMES = ("", " once", " twice", " three times", " four times", " five times")
_EMPHATIC = re.compile(
    r"do (?P<order>\w+ (?:down|up|your|the|it|them|hands?|arms?)\b.*)"
)
_OFTEN = re.compile(
    rf"(?P<often>twice|(?:two to )?(?P<number>{_NUMBER}) times),? (?P<order>.+)"
)
_OPENING = re.compile(
    r"(?:(?:first|next|finally|lastly|now|again|also|afterwards|after that|then),? )*"
)


def _several(match: re.Match[str]) -> str:
    ending = "" if match[1] in ("1", "one") else "s"
    return f"{match[1]} {match[2]}{ending}"


_COUNTED = rules(
    ("face", r"(?:^|(?<=, )|(?<=then ))(left|right) face(?=$|[,.])", r"turn \1"),
    ("march", r"(?:^|(?<=, )|(?<=then ))forward march(?=$|[,.])", "march forward"),
    ("march", r"(?:^|(?<=, )|(?<=then ))quick march(?=$|[,.])", "march quickly"),
    ("mark time", r"(?:^|(?<=, )|(?<=then ))mark time\b", "march in place"),
    (
        "back",
        r"^back to (?=(?:the |your )?(?:start|neutral|standing|position|home|begin))",
        "go back to ",
    ),
    ("ing", r"^(\w+),? (?=\1 \w+ing\b)", ""),
    ("once", r"^(?:all )?at once,? (?=\w)", "suddenly "),
    ("attention", r"^(?:stand (?:at|to) )?attention(?=$|[,.])", "stand at attention"),
    ("rest", r"(?:^|(?<=, )|(?<=then ))parade rest\b", "stand at parade rest"),
    (
        "",
        rf"\b({_NUMBER}) (step|time|meter|second)"
        r"(?=$|[,.]| (?:forward|back|backward|left|right|to|and|then|on|in|ahead)\b)",
        _several,
    ),
    ("times", r"\btwo times\b", "twice"),
    (
        "step",
        rf"\bstep (forward|back|backward|left|right) ({_NUMBER})(?=$|[,.]| (?:and"
        rf"|then)\b)",
        r"take \2 steps \1",
    ),
    (
        "after",
        r"(?:,| and) after,? (?!that|this|a |an |\w+ing|\w+ (?:step|second|beat"
        r"|count)s?)",
        " and then ",
    ),
    ("couple", r"\b(?:a )?couple (?:of )?times\b", "twice"),
    ("few", r"\b(?:a )?few times\b", "three times"),
    ("several", r"\bseveral times\b", "three times"),
    (
        "couple",
        r"\b(?:a )?couple (?:of )?(?=steps|seconds|meters|squats|jumps|hops)",
        "two ",
    ),
)


def plainer(text: str, knows: Knows) -> str:
    """With numbers, commands and repetitions in plainer words."""
    text = apply(_COUNTED, text)
    text = _REPEATED.sub(lambda found: _again(found, knows), text)
    return _SERIAL.sub(lambda found: _went(found, knows), _waits(text, knows))


def is_told(text: str, knows: Knows) -> bool:
    """Whether it tells of somebody, and so orders nothing."""
    if not gives_order(text, knows) and (_TOLD.search(text) or _ELSE.search(text)):
        return True
    return _SOMEBODY.search(text) is not None and ordered_deed(text) is None


def of_somebody(text: str, knows: Knows) -> str:
    """ "It waves", "robot waves" with somebody who does so."""
    if (found := _IT.match(text)) and tells(found["deed"], knows):
        told = re.sub(r"\bits\b", "their", re.sub(r"\bitself\b", "themselves", text))
        return f"a person {told.removeprefix('it ')}"
    if (found := _TOLD_TO.match(text)) and not _DANCE.fullmatch(text):
        order = text[found.end() :]
        if gives_order(order, knows) and not tells(
            order.split()[0].rstrip(",."), knows
        ):
            return order
    found = _NOBODY.match(text)
    if found and (found["deed"] == "is" or tells(found["deed"], knows)):
        if found["who"] == "subject":
            return f"a person{text.removeprefix('subject')}"
        article = "the" if found["who"] in ("robot", "humanoid") else "a"
        return f"{article} {text}"
    return text


def _again(match: re.Match[str], knows: Knows) -> str:
    """ "Clap clap clap" as "clap three times"."""
    verb, count = match["verb"], len(match[0].split())
    if verb in ("run", "walk", "jog", "march"):
        count = 0
    if not is_verb(verb, knows) or count >= len(_TIMES):
        return match[0]
    behind = match.string[match.end() :].lstrip()
    next_one = gives_order(behind, knows) and match.string[match.end() :][:1] == " "
    return f"{verb}{_TIMES[count]}{',' if next_one and behind[:4] != 'then' else ''}"


def _waits(text: str, knows: Knows) -> str:
    """ "After two seconds, wave" as "wait two seconds, then wave"."""
    found = _LATER.fullmatch(text)
    if found and is_order(found["order"], knows):
        return f"wait {found['time'].replace('pause', 'moment')}, then {found['order']}"
    return text


def _went(match: re.Match[str], knows: Knows) -> str:
    """ "Come walk here" as "walk here"."""
    order = match["order"]
    if _NO_SERIAL.match(order) or not gives_order(order, knows):
        return match[0]
    return match["before"]


def rephrased(clause: str, knows: Knows) -> str:
    """A clause whose verb does not come first."""
    opening = opening_of(clause)
    rest = clause[len(opening) :]
    if (found := _OFTEN.fullmatch(rest)) and gives_order(found["order"], knows):
        return f"{opening}{found['order']} {found['often']}"
    if found and ordered_deed(f"{found['number'] or 'two'} {found['order']}"):
        return f"{opening}{found['number'] or 'two'} {found['order']}"
    if found := _LIMB_FIRST.fullmatch(rest):
        moved = found["deed"] in ("raise", "lift", "lower", "swing")
        limb = f"{'' if moved else 'with '}the {found['limb']}"
        return f"{opening}{found['deed']} {limb}{found['rest']}"
    if (found := _EMPHATIC.fullmatch(rest)) and gives_order(found["order"], knows):
        return f"{opening}{found['order']}"
    if (found := _WITH_LIMB.fullmatch(rest)) and gives_order(found["order"], knows):
        return f"{opening}{found['order']} {found['limb']}"
    return clause


def opening_of(clause: str) -> str:
    found = _OPENING.match(clause)
    return found.group() if found else ""
