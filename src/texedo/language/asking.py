"""What stands around a deed when people ask for it: "could you show me how you dance?"

What is left is the deed itself, as an order ("dance") or as what somebody does. Captions
tell deeds; a model has never seen them asked for.
"""

from __future__ import annotations

import re

from texedo.language.rewriting import rules

_ROBOT = r"(?:the |my |your |this |that )?(?:unitree |humanoid )?(?:g1|robot|humanoid)"
_ANYBODY = (
    rf"{_ROBOT}|it|someone|somebody"
    r"|(?:a|the) (?:person|man|woman|human|figure|character)"
)
_ONE, _DOER = rf"(?:him|her|them|{_ANYBODY})", rf"(?:you|we|i|{_ANYBODY})"
"""Whoever it is that shall do it, as an object and as a subject."""
_MUST = (
    r"(?:should|must|shall|will|can|may|could|might|(?:need|ought|have|want)s? to"
    r"|has to"
    r"|(?:is|are|am) (?:going |supposed |asked |told )?to)"
)
_SHOWN = r"(?:a |an |the )?(?:short )?(?:motion|animation|movement|clip|video|gif)"
_WHERE = r"(?:of|where|in which|that shows|showing)"

_YOURS = (
    r"(?:\w+ ){0,2}(?:high five|low five|five|hug|kiss|hands?|handshake|fist bump|pat"
    r"|push"
    r"|shove|shoulders?|arms?|palms?|back|face|teeth|muscles|ball|box|book|cup|bottle"
    r"|phone"
    r"|flowers?|present|gift|paper|bag|thing|object|space|room|break|lift|ride|way|door"
    r"|money|it|that|them|this|second|moment|minute)"
    r"(?=$|[,.]| (?:to|and|then|with|on|in|for|back|now|from|over|of)\b)"
)
"""What is given or shown itself, where any other deed is to be done."""
_BEGUN = (
    r"(?:it would|it will|would it) be (?:really |so )?(?:great|nice|cool|lovely"
    r"|awesome|good"
    r"|fun) (?:if|to (?:see|have))|i (?:was|am) wondering (?:if|whether)"
    r"|(?:is there )?any"
    r" chance|do you think|i (?:would|will) (?:love|appreciate)(?: it)? (?:if"
    r"|to (?:see|have))"
    r"|see (?:if|whether)|are you able to|is it possible (?:for you )?to"
    r"|do you know how to"
    r"|(?:how|what) about|why (?:do not|not)(?: you)?|(?:it is )?time (?:for|to)|i bet"
    r"|let (?:us|me) (?:see|have)|remember to|(?:be|make) sure (?:to|that|you)"
    r"|do not forget"
    r" to|your (?:job|task|goal|turn) (?:is )?to|the (?:task|goal|idea) is to|maybe"
    r"|perhaps"
    r"|(?:(?:for )?(?:your|the|this) )?(?:next|first|last) (?:move|task|exercise|thing)"
    r"(?: is)?:?|(?:execute|run|trigger|initiate) (?:the )?(?:command|action|motion"
    r"|sequence"
    r"|program|skill):?"
)
_COUNT_IN = (
    r"(?:and |ready,? )?(?:five,? six,? seven,? eight|three,? two,? one(?:,? go)?"
    r"|ready[,.]? (?:set[,.]? |steady[,.]? )?go|one,? two,? three(?:,? four)?|on three"
    r"|lights,? camera,? action|action|places(?: everyone)?"
    r"|(?:on|at) (?:the|my) (?:count(?: of three)?|signal|mark|command|cue)"
    r"|from the top"
    r"|when i (?:say|clap|signal|give)(?: \w+){0,3}|when(?:ever)? (?:you are )?ready)"
)
_CALL = (
    r"let us go|great|perfect|excellent|good|very good|nice|lovely|awesome|alrighty"
    r"|yes|yeah|u[mh]+"
    r"|hmm+|oh|listen up|attention|everybody|everyone|class|kids|folks|guys|ladies"
    r"|buddy"
    r"|friend|mate|sweetie|honey|darling|dear|hey there|good job|well done|well"
    r"|sorry|look here|come on|okay|basically|and now"
)
_LABEL = (
    r"(?:next )?(?:shot|scene|clip|cue|exercise|drill|instruction|routine|request"
    r"|order|input"
    r"|caption|description|cmd|note|goal|next|idea|todo|move|gesture|pose"
    r"|position|test|demo|query|exec|cmd)(?: (?:\d+|one|two|three|four|five|six"
    r"|[a-z]))?"
)
_FEELS = (
    r"happy|sad|angry|scared|shy|proud|tired|drunk|sleepy|surprised|excited|nervous"
    r"|silly"
    r"|confident|afraid|bored"
)
_LIKE = r"like|want|wish|please"
_FILLER = (
    r"(?:or )?whatever|or something(?: like that)?|and (?:everything|stuff"
    r"|all(?: that)?)"
    r"|you know|ya know|you see|i (?:guess|mean|think)|if (?:you (?:can|like|want"
    r"(?: to)?|do not mind|may|please)|possible|that is (?:ok|okay|possible))"
    rf"|(?<!do )(?:as \w+ )?as you (?:{_LIKE})|(?:however|any way"
    rf"|whatever way) you (?:{_LIKE})"
    r"|go (?:nuts|wild|crazy)|have fun|good luck|as long as (?:you can|possible)"
    r"|ok(?:ay)?"
    r"|come on|for real|asap|(?:and )?that (?:is|will be) (?:it|all)|good job|well done"
    r"|on (?:the|my) count(?: of three)?|over and out"
    r"|(?<!wait )(?<!look )(?<!reach )(?<!search )(?<!care )(?<!run )"
    r"for (?:me|us|(?:the|my) camera)"
)
"""What may be left out wherever it stands, as it says nothing of the deed."""
_HOW_MANY = (
    r"(?:\d+|a couple|a few|one|two|three|four|five|six|seven|eight|nine|ten)(?: \w+)?"
    r" (?:steps?|times?|meters?|seconds?|reps?|degrees?|minutes?)"
)
_VERY = (
    r"low|slow|slowly|fast|quick|quickly|high|wide|deep|big|small|hard|light|quiet"
    r"|straight"
    r"|tired|happy|drunk|angry|sad|excited|careful|carefully|proud|strong|close|far"
)


def _begun(match: re.Match[str]) -> str:
    """What is left of a beginning: "show me", where something is to be seen."""
    rest = match.string[match.end() :]
    seen = re.search(r"\b(?:see|have),? $", match[0]) is not None
    named = re.search(r"\b(?:about|for),? $", match[0]) is not None
    return "show me " if seen or (named and not rest.startswith("you ")) else ""


POLITE = rules(
    (
        "simon",
        r"^(?:and |ok,? |now,? )?simon says:?,? (?:to )?(?=\w)",
        "",
    ),
    (
        "five three ready action places count signal mark command cue top when",
        rf"^{_COUNT_IN}[,.:] (?=\w)",
        "",
    ),
    (
        "",
        rf"^(?:{_CALL})[,.:] (?=\w)",
        "",
    ),
    ("", rf"^{_LABEL}: (?=\w)", ""),
    (
        "would was any think will see able possible know about why time bet let"
        " remember sure forget your task goal idea next first last command action"
        " motion sequence program skill maybe perhaps",
        rf"^(?:{_BEGUN}),? (?=\w)",
        _begun,
    ),
    ("try", r"^try (?:and|to) (?=\w)", ""),
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
        rf"|i (?:want|need|would like) (?:that )?(?:you|{_ONE})(?: to)?)\s+",
        "",
    ),
    (
        "you we try us can could would will",
        rf"^(?:(?:can|could|would|will) (?:you|we|{_ANYBODY})|try to"
        rf"|let us)\s+(?!mind )",
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
    ("see have", r"^(?:can|could|may) (?:i|we) (?:see|have)\s+", "show me "),
    (
        "generate create animate simulate render imagine visualize depict show picture",
        r"^(?:generate|create|animate|simulate|render|imagine|visualize|depict|show"
        rf"|picture)(?: me)? (?={_ONE}\b)",
        "",
    ),
    ("show", r"^show (?:me |us )?how (?:you can|you|to)\s+", ""),
    (
        "show",
        r"^show (?:me |us )(?=(?:someone|somebody|an? (?:\w+ )?(?:person|man)) )",
        "",
    ),
    (
        "show",
        r"^show (?:me |us )how (?P<who>(?:an?|the) [a-z ]{2,30}?)"
        r" (?P<deed>walk|run|move|dance|jump|swim|fight|march|crawl|eat|sneak|pose"
        r"|bow)s\b",
        r"\g<deed> like \g<who>",
    ),
    (
        "show give",
        rf"^(?:show|give) (?:me|us) (?!{_YOURS}|the (?!macarena|moonwalk|floss|robot)"
        r"|\w+ing\b(?! (?:jacks?|lunges?))|how\b|what\b|where\b|who\b|you\b|if\b"
        r"|again\b)(?=\w)",
        "do ",
    ),
    ("show", r"^show (?:me|us) you(?: can)? (?=\w)", ""),
    ("execute", r"^execute (?=(?:an?|the|your|some|one|two|three)\b)", "do "),
    ("execute", r"^execute (?=\w)", ""),
    ("like", r"^(?:make|do) like (?=an? )", "act like "),
    ("make", r"^make (?=like you|as if|as though)", "act "),
    ("like", r"^do (?:it )?like this: (?=\w)", ""),
    ("he", r"^(?:he|she) (?:must|should|shall|has to|needs to) (?!be\b|not\b)", ""),
    (
        "to",
        r"^to (?=(?:raise|lift|walk|go|turn|make|do|jump|lower|wave|step|bend)\b)",
        "",
    ),
    ("like", r"\blike (?=(?:super|really|totally) \w+(?:$|[,.]))", ""),
    ("five", r"^give (?:me|us) five(?=$|[,.]| and)", "give me a high five"),
    (
        "pretend imagine",
        r"\b(?:pretend|imagine)(?: that)? (?:you are|your|like you are|to be) (?=an?"
        r"|the )",
        "pretend to be ",
    ),
    ("you", r"\byour (?=(?:an?|the) )", "you are "),
    (
        "you",
        r"\b(like|if|though|when|while) your (?=(?!\w+ing (?:leg|arm|hand"
        r"|foot))\w+ing\b)",
        r"\1 you are ",
    ),
    (
        "like",
        r"\b(act|move|walk|dance|run|behave) (?:like|as if|as though) you are (?=an? )",
        r"\1 like ",
    ),
    ("you are", r"^you are (?=(?:an?|the) )", "act like "),
    ("be", r"(?:^|(?<=then )|(?<=, ))be (?=an? |like an? )", "act like "),
    ("like", r"\blike like\b", "like"),
    ("be", rf"(?:^|(?<=then )|(?<=, ))be (?=(?:{_FEELS})\b)", "act "),
    (
        "should must shall will can may could might to",
        rf"^{_DOER} {_MUST} (?!(?:not|be|the|an?|his|her|their|its|your|left|right)\b)",
        "",
    ),
    ("like", rf"(?<!you )\blike,? (?=(?:about |around )?{_HOW_MANY}\b)", ""),
    (
        "like",
        r", like,? (?=(?:super|really|totally|very|so) \w+(?:$|[,.]))|, like,",
        ", ",
    ),
    ("super totally", rf"\b(?:super|totally) (?=(?:{_VERY})\b)", "very "),
    (
        "kind sort",
        rf"(?<!a )(?<!this )(?<!same )(?<!that )\b(?:kind|sort) of (?=(?:like|\w+ly"
        rf"|{_VERY})\b)",
        "",
    ),
    (
        "",
        rf"(?:^|(?:,? (?:and|but|just|so))?[, ]+)\b(?:{_FILLER})(?=$|[,.:]"
        r"| with\b| up to\b| a (?:little|bit)\b)",
        "",
    ),
)
"""In this order; some make work for one before them, and the whole is done again."""
