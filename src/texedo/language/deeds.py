"""Deeds named by a noun as orders: "ten jumping jacks" is "do ten jumping jacks".

A phrase is a number, some adjectives and what is done; what has a name of its own ("duck
walk", "karate chop") needs neither. A plain "slow walk" stays: captions are full of them.
"""

from __future__ import annotations

import re

from texedo.language.verbs import BEFORE_NOUNS

_NUMBERS = (
    r"(?!(?:45|90|135|180|270|360|540|720)\b)\d{1,3}|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve"
    r"|a couple(?: of)?|a few|several"
)
_COUNT = (
    rf"(?:(?:{_NUMBERS}) )?sets? of (?:{_NUMBERS})|(?:two to )?(?:{_NUMBERS})(?: more)?"
    r"(?! (?:degree|second|minute|meter)s?\b)"
    r"|another|an?|some"
)
_ADJECTIVE = "|".join(
    """slow slower quick quicker fast faster rapid brisk big bigger small smaller little
    tiny huge giant large wide narrow deep deeper low high long short shallow sharp sudden
    steady gentle soft light hard strong heavy powerful mighty careful cautious proud
    confident shy happy joyful sad angry tired drunk drunken lazy silly funny crazy cool
    fancy elegant graceful dramatic exaggerated formal polite respectful firm friendly nice
    good proper perfect clean simple basic controlled dynamic alternate alternating single
    double triple half quarter full whole complete left right forward backward sideways
    side front back overhead standing seated flying spinning round
    military soldier royal japanese karate boxing ballet baby tiptoe even equal final last
    first second third quiet robotic bodyweight sumo split tuck star broad""".split()
) + (
    r"|three quarter|one legged|single leg|two handed|one handed|two footed|full body"
    r"|\d+ (?:degree|second)s?|(?:two|three|five|ten) seconds?"
)
_MOVERS = (
    r"duck|crab|bear|cat|penguin|spider|elephant|gorilla|monkey|ape|frog|bunny|rabbit"
    r"|kangaroo|horse|chicken|snake|dinosaur|lizard|worm|zombie|robot|monster|mummy"
    r"|ghost"
    r"|ninja|pirate|cowboy|military|soldier|moon|model|runway|dragon"
    r"|drunk(?:en)?(?: man)?|old man|silly"
    r"|tightrope|heel to toe|toe|heel|power|lunge|victory|happy|break|belly|tap|line"
    r"|square|folk|hip hop|disco|salsa|samba|tango|waltz|slow mo(?:tion)?|tiptoe"
    r"|fashion"
    r"|goose|farmers?|caterpillar|commando|army|leopard|rain|war|bollywood|flamenco"
    r"|celebration"
)
_LIMBS = "arm|hip|shoulder|neck|ankle|wrist|knee|elbow|leg|hand|thigh|calf|heel|toe"
_TRUNK = "head|neck|trunk|torso|body|waist|upper body"
_ENDS = r"(?=$|,| left and| side to| from side| each| in place)"
_NAMED = (
    rf"(?:{'|'.join(sorted(BEFORE_NOUNS))}) (?:(?:walk|march|crawl|dance|fake|move"
    rf"|combo|combination"
    r"|routine|motion|drill|exercise|gesture|hold)s?|jumps|kicks|squats|punches|lunges"
    r"|turns|spins"
    r"|hops|steps)",
    # Ways to go, and dances.
    rf"(?:{_MOVERS}) (?:walk|run|jog|march|crawl|dance|hop|jump|skip|strut|shuffle)",
    r"(?:dance|walk|run|idle|skip|step|hip hop|karate|kung fu|martial arts?|fight"
    r"|boxing|ninja|yoga|ballet|disco"
    r"|salsa|zigzag|jump|kick|punch|lunge|squat|march|cross|swim) (?:dance )?"
    r"(?:moves?|routine|steps|party|cycle|loop|animation|sequence|combo|combination"
    r"|solo|exercise|drill)",
    r"macarena|floss|hokey pokey|running man|cha cha(?: slide)?|charleston"
    r"|electric slide"
    r"|catwalk|two step|pas de bourree|rond de jambe|battements?|jazz square|body wave"
    r"|hair flip"
    r"|(?:pivot|jump|hop|kick|three step|paddle) turns?|(?:single leg"
    r"|one legged) (?:stand|balance)|rock step|(?:step |kick )?ball change|sword fight"
    r"|(?:superhero )?landing",
    # Sports and fights.
    r"(?:front|back|side|round|axe|crescent|hook|spin|spinning(?: back| hook)?"
    r"|flying(?: side)?"
    r"|jump|push|penalty|free|goal|bicycle|scissor|donkey|karate|roundhouse|football"
    r"|soccer"
    r"|flutter|mule|snap|drop) kicks?|roundhouse",
    r"(?:karate|judo|axe|sword) (?:chop|cut|slash|strike|swing)(?:e?s)?"
    r"|(?:palm|knee|elbow) strikes?",
    r"(?:golf|baseball|bat|tennis|cricket|hammer|kettlebell) swings?|(?:tennis"
    r"|volleyball"
    r"|overhand|underhand) serves?|(?:fore|back)hands?",
    r"(?:free|overhand|underhand|frisbee|discus|javelin|baseball) throws?|jump ?shots?"
    r"|slam dunks?|(?:shadow|kick) ?boxing|tai chi|aerobics|breakdancing|capoeira",
    # Gestures.
    r"(?:air|fist|chest) (?:punch(?:es)?|pumps?|bumps?)|thumbs (?:up|down)|face ?palm"
    r"|peace sign|jazz hands|finger guns|hand ?shakes?|high fives?|slow clap"
    r"|curtain calls?"
    r"|mexican wave|royal wave|silent scream|evil laugh|(?:soldier|military"
    r"|scout) salutes?"
    r"|about (?:face|turn)|u turns?|air (?:guitar|drums?|piano|violin|bass)",
    # Exercises.
    r"(?:side|back|forward|trunk|lateral) (?:bend|fold)s?|(?:side|back|hamstring|quad"
    r"|calf|cat|cat cow|chest"
    r"|shoulder|hip|hip flexor|triceps|groin|neck|overhead|morning) stretch(?:es)?"
    r"|(?:side|reverse|walking|lateral|curtsy|jumping) lunges?|hip hinges?",
    rf"(?:{_LIMBS}) (?:circle|roll|rotation|raise|extension|curl|thrust|press|shrug"
    rf"|touch|tap"
    r"|drive|swing|lift)(?:e?s)?",
    rf"(?:{_TRUNK}|hip) (?:turn|roll|tilt|nod|shake|twist|isolation|rotation"
    rf"|bump)(?:s{_ENDS})?",
    r"(?:jumping|star|half) jacks?|(?:star|tuck|squat|box|broad|long|high|split"
    r"|vertical|lunge"
    r"|standing (?:long|broad)|scissor|straddle|pogo|counter ?movement) jumps?",
    r"(?:jump|sumo|goblet|pistol|split|air|wall|prisoner) squats?|wall sits?"
    r"|(?:side )?planks?",
    r"high knees|butt ?kick(?:s|ers)|mountain climbers?|burpees?|(?:push|pull|sit|chin"
    r"|step)"
    r" ups|crunches|deadlifts|windmills",
    r"(?:box|grapevine|cha cha|polka|triple|mambo|chasse) steps?|step touch(?:es)?"
    r"|grapevines?|arabesques?|(?:demi |grand )?plies?|tendus?|releves?"
    r"|(?:hand ?stand|round ?off|(?:back|front) ?flip|(?:forward|backward"
    r"|shoulder) roll)s?",
    r"(?!the |an? |hold |strike |same |this |that |do |keep |change |make |take "
    r"|assume |in |into |from |with |of |and |your )\w+(?:'s)? (?:pose|stance)"
    r"|warrior (?:one|two|three|ii?i?)(?: pose)?",
)
_HEADS = (
    r"steps?|strides?|paces?|turns?|rotations?|circles?|jabs?|punch(?:es)?|hooks?"
    r"|cross(?:es)?"
    r"|uppercuts?|haymakers?|squats?|lunges?|jumps?|hops?|leaps?|kicks?|spins?|bows?"
    r"|curtsy"
    r"|curtsies|salutes?|waves?|claps?|nods?|shrugs?|twists?|rolls?|bends?"
    r"|stretch(?:es)?"
    r"|stomps?|stamps?|skips?|twirls?|pirouettes?|somersaults?|cart ?wheels?|chops?"
    r"|slash(?:es)?"
    r"|cuts?|swings?|bounces?|bobs?|shuffles?|flips?|push ?ups?|sit ?ups?|pull ?ups?"
    r"|plank"
    r"|crunch(?:es)?|deadlifts?|reps"
)
_BEHIND = (
    r"forward|backward|back|ahead|left|right|up|down|in|on|to|toward|with|at|over|and"
    r"|then"
    r"|while|like(?! steps)|around|again|each|per|from|for|as|sideways|clockwise"
    r"|counterclockwise"
    r"|\w+ly|away|out|off|twice|once|\w+ times|straight|by|along|across|through|until"
    r"|or"
    r"|low|high|fast|slow|holding|a (?:little|bit|while)|two|three|four|five|\d+"
    r"|keeping|per|every|alternating|using|facing|into|together"
)
"""What goes on after the phrase; a verb there would make it a subject."""
_PHRASE = re.compile(
    rf"(?:(?P<count>{_COUNT}) )?(?P<like>(?:(?:{_ADJECTIVE}),? )*?)"
    rf"(?:(?P<named>{'|'.join(_NAMED)})|(?P<head>{_HEADS}))"
    rf"(?=$|[,.:]| (?:{_BEHIND})\b)"
)
_SIDE_OF_ONE = re.compile(rf"(?:left|right) (?:{_LIMBS}|{_TRUNK}) \w+s$")
""" "Left arm swings" tells what the arm does."""
_SUBJECT = re.compile(
    r".*\b(?:steps|strides|paces|turns)(?: \w+){0,2} (?:bring|take|carry|lead|cover"
    r"|send|end"
    r"|make|put|move)\b"
)
_PART = re.compile(r"(?:half|quarter|three quarter|full)\b")
_STRIKE = re.compile(r"(?:left|right) (?:kick|punch|jab|hook|cross|uppercut)s?\b")
_GESTURE = re.compile(r"(?:bow|wave|nod|shrug|salute|clap|curtsy|squat|lunge)s?")
_MANY = re.compile(
    r"(?:.*[^s]s|curtsies|.*(?:boxing|tai chi|dancing|aerobics|capoeira|thumbs \w+)"
    r"|\w+(?:ch|sh)es|air \w+)$"
)
_THE = re.compile(r"macarena|floss|hokey|running man|cha cha slide|charleston|electric")
_BY = {
    "take": r"steps?|strides?|paces?",
    "make": r"turns?|rotations?|circles?",
    "throw": r"jabs?|punch(?:es)?|hooks?|cross(?:es)?|uppercuts?|haymakers?",
    "play": r"air (?:guitar|drums?|piano|violin|bass)",
    "stand in": r"[\w']+ (?:pose|stance)|warrior \w+(?: pose)?",
}
"""The verb of a deed where it is not "do"."""


def is_counted(clause: str) -> bool:
    """Whether it needs no order behind it to be one: "ten squats", "karate chop"."""
    found = _PHRASE.match(clause)
    if found is None:
        return False
    some = bool(found["count"]) and not re.match(r"(?:an?|some|a few)\b", clause)
    some = some or bool(
        _STRIKE.match(clause)
        or _PART.match(found["like"])
        or _GESTURE.fullmatch(found["head"] or "")
    )
    return bool(found["named"]) or (some and bool(found["head"]))


def ordered_deed(clause: str, *, bare: bool = True) -> tuple[str, str] | None:
    """The verb and "a deep bow to the left" of "deep bow to the left".

    `bare` phrases need no number and no name.
    """
    found = _PHRASE.match(clause)
    if not found or _SIDE_OF_ONE.match(found.group()) or _SUBJECT.match(clause):
        return None
    count, like, named = found["count"], found["like"], found["named"]
    if not count and not named and not (like and bare):
        return None
    deed = named or found["head"]
    clause = re.sub(r"^(\w+ second)s(?= \w+$| \w+ sit)", r"\1", clause)
    if re.fullmatch(r"warrior \w+", deed) and not deed.endswith("pose"):
        clause = f"{clause[: found.end()]} pose{clause[found.end() :]}"
    verb = next((verb for verb, of in _BY.items() if re.fullmatch(of, deed)), "do")
    if count or _MANY.fullmatch(deed):
        return verb, clause
    if _THE.match(deed):
        return verb, f"the {clause}"
    an = "an" if clause[0] in "aeiou" and not clause.startswith(("u ", "one ")) else "a"
    return verb, f"{an} {clause}"
