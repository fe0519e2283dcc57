"""What stands around a deed when people ask for it: "could you show me how you dance?"

What is left is the deed itself, as an order ("dance") or as what somebody does. Captions
tell deeds; a model has never seen them asked for.
"""

from __future__ import annotations

from texedo.language.rewriting import rules

_ROBOT = r"(?:the |my |your |this |that )?(?:unitree |humanoid )?(?:g1|robot|humanoid)"
_ANYBODY = (
    rf"{_ROBOT}|it|someone|somebody"
    r"|(?:a|the) (?:person|man|woman|human|figure|character)"
)
_ONE, _DOER = rf"(?:him|her|them|{_ANYBODY})", rf"(?:you|we|i|{_ANYBODY})"
"""Whoever it is that shall do it, as an object and as a subject."""
_MUST = (
    r"(?:should|must|shall|will|can|may|could|might|(?:need|ought|have|want)s? to|has to"
    r"|(?:is|are|am) (?:going |supposed |asked |told )?to)"
)
_SHOWN = r"(?:a |an |the )?(?:short )?(?:motion|animation|movement|clip|video|gif)"
_WHERE = r"(?:of|where|in which|that shows|showing)"

POLITE = rules(
    (
        "please pls plz kindly thank",
        r"\b(?:please|pls|plz|kindly|thank you|thanks)\b",
        " ",
    ),
    (
        "omg wow yo bro dude haha hah lol xd",
        r"^(?:(?:omg|wow|yo|bro|dude|haha+|lol)\b[, ]*)+(?=\w)"
        r"|(?:[, ]+(?:lol|haha+|xd|bro|dude))+$",
        "",
    ),
    (
        "robot humanoid g1",
        rf"^(?:hey|hi|hello|ok|okay|so|now)?[, ]*{_ROBOT}\s*[,:.]\s*",
        "",
    ),
    ("robot humanoid g1", r", (?:robot|humanoid|g1)$", ""),
    (
        "ok now so alright all hey well just and go",
        r"^(?:(?:ok|okay|alright|all right|hey|now|just|and|go ahead and)\b,? +"
        r"|(?:so|well), +)+(?=\w)",
        "",
    ),
    (
        "motion animation prompt task command action",
        r"^(?:motion|animation|prompt|task|command|action) ?: *(?=\w)",
        "",
    ),
    (
        "make let have get want need like tell ask",
        rf"^(?:(?:make|let|have|get) {_ONE}(?: to)?|(?:tell|ask) {_ONE} to"
        rf"|i (?:want|need|would like) (?:you|{_ONE}) to)\s+",
        "",
    ),
    (
        "you we try us can could would will",
        rf"^(?:(?:can|could|would|will) (?:you|we|{_ANYBODY})|try to|let us)\s+(?!mind )",
        "",
    ),
    ("mind", r"^(?:do|would|will) you mind\s+", "mind "),
    ("mind", r"^mind showing (?:me|us) how (?:you|to)\s+", ""),
    (
        "motion animation movement clip video gif",
        r"^(?:(?:generate|create|make|animate|show|give|render|draw)(?: me)? )?"
        rf"{_SHOWN} {_WHERE}\s+",
        "",
    ),
    ("see have", r"^i (?:want|need|would like) to (?:see|have)\s+", "show me "),
    ("see have", r"^(?:can|could|may) i (?:see|have)\s+", "show me "),
    (
        "generate create animate simulate render imagine visualize depict show picture",
        r"^(?:generate|create|animate|simulate|render|imagine|visualize|depict|show"
        rf"|picture)(?: me)? (?={_ONE}\b)",
        "",
    ),
    ("show", r"^show (?:me |us )?how (?:you can|you|to)\s+", ""),
    (
        "show give",
        r"^(?:show|give) (?:me |us )(?=(?:a|an|some|another|one|two|three)\b)",
        "do ",
    ),
    ("be", r"^be (?=(?:a|an) )", "act like "),
    (
        "should must shall will can may could might to",
        rf"^{_DOER} {_MUST} (?!(?:not|be|the|an?|his|her|their|its|your|left|right)\b)",
        "",
    ),
)
"""In this order; some make work for one before them, and the whole is done again."""
