"""Sentences: true to the facts, well formed, mirrored, varied."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support.events_moves import Pose, bump, squat_angles, walk
from tests.support.motions import random_motion
from texedo.data.captions import (
    Annotation,
    Caption,
    captions,
    mirror_annotation,
    skeleton,
    swap_sides,
    verb_phrases,
)
from texedo.data.captions.banks.manners import STYLES, manner_of
from texedo.data.captions.choice import Choice
from texedo.data.captions.claims import contradicts, fully_borne_out
from texedo.data.captions.grammar import Subject, conjugate, fix_articles, inflect, tidy
from texedo.data.captions.sentences import Part, sentence
from texedo.data.captions.tagging import bank_verbs
from texedo.data.captions.weights import generated_weight
from texedo.data.events import (
    ArmRaise,
    Circle,
    Facts,
    Hop,
    Jump,
    Kick,
    Punch,
    Squat,
    Travel,
    Turn,
    measure,
    mirror_facts,
)
from texedo.robot.mirror import mirror

HE = Subject("a man", "he", "his", "himself")


def facts_of(*events: object, duration: float = 5.0, distance: float = 0.0) -> Facts:
    return Facts(
        duration=duration,
        events=tuple(events),  # type: ignore[arg-type]
        distance=distance,
        displacement=distance,
        turned=0.0,
        steps=0,
        hand_path=(0.5, 0.5),
        lowest=1.0,
    )


def walking(**changes: object) -> Travel:
    travel = Travel(
        start=0.5,
        end=4.0,
        gait="walk",
        direction="forward",
        distance=2.0,
        speed=0.6,
        steps=5,
    )
    return replace(travel, **changes)  # type: ignore[arg-type]


SCENES: dict[str, Facts] = {
    "walk": facts_of(walking(), distance=2.0),
    "back and kick": facts_of(
        walking(direction="backward", end=2.0),
        Kick(start=2.5, end=3.0, side="left", count=2, level="waist", way="front"),
        distance=1.0,
    ),
    "turn": facts_of(Turn(start=1, end=2, side="right", angle=92, travelling=False)),
    "circle": facts_of(
        Circle(start=0, end=5, side="right", laps=1.0, radius=1.0),
        walking(start=0, end=5),
        distance=5.0,
    ),
    "squat and raise": facts_of(
        Squat(start=0.5, end=2.0, count=3, depth=0.3),
        ArmRaise(start=2.5, end=4.0, side="left", level="overhead", way="up"),
    ),
    "jump turn": facts_of(
        Jump(start=1, end=1.4, count=1, height=0.2, turn="left", turn_angle=178.0)
    ),
    "hop": facts_of(Hop(start=1, end=3, side="right", count=4, direction="forward")),
    "box": facts_of(
        Punch(start=1, end=1.4, side="left", count=1, kind="jab"),
        Punch(start=2, end=2.4, side="right", count=2, kind="hook"),
    ),
    "nothing": facts_of(),
}
BOXING = Annotation(family="box", description="boxing", scope="window")


def texts(
    facts: Facts, label: Annotation | None = None, *, seed: object = 0
) -> list[str]:
    return [caption.text for caption in captions(facts, label, seed=seed)]


def many(name: str, label: Annotation | None = None, *, number: int = 60) -> list[str]:
    return [t for seed in range(number) for t in texts(SCENES[name], label, seed=seed)]


@pytest.mark.parametrize("name", SCENES)
def test_three_to_five_different_captions(name: str) -> None:
    for seed in range(20):
        found = texts(SCENES[name], seed=seed)
        assert 1 <= len(found) <= 5
        assert len({skeleton(text) for text in found}) == len(found)
        if name != "nothing":
            assert len(found) >= 3


def test_the_same_seed_gives_the_same_captions_and_another_does_not() -> None:
    assert texts(SCENES["walk"], seed=(0, "35_01")) == texts(
        SCENES["walk"], seed=(0, "35_01")
    )
    assert texts(SCENES["walk"], seed=(0, "35_01")) != texts(
        SCENES["walk"], seed=(0, "35_02")
    )


@pytest.mark.parametrize("name", SCENES)
def test_sentences_are_well_formed(name: str) -> None:
    for text in many(name, BOXING if name == "box" else None):
        assert text == text.strip() and "  " not in text
        assert not re.search(r"[~{}\[\]|<>#]", text), text
        assert not re.search(r"\s[,.]|,,|\.\.|,\.", text), text
        # Capitals come with a full stop; without one all is lower case.
        assert text[0].islower() or text.endswith("."), text
        assert not re.search(r"\b(\w+) \1\b", text.lower()), text
        for article, word in re.findall(r"\b(an?) (\w+)", text.lower()):
            vowel = word[0] in "aeiou" and not re.match(r"u(?:-|ni|s[ei])|one\b", word)
            digits = word.startswith("8")
            assert (article == "an") == (vowel or digits), text


@pytest.mark.parametrize("name", SCENES)
def test_verbs_agree_with_their_subjects(name: str) -> None:
    plural = re.compile(r"\bthey (?:\w+ly )?(?:is|was|has|does|goes|\w+[^s]s)\b(?! up)")
    single = re.compile(
        r"\b(?:he|it|someone|person|man|robot|figure) (?:walk|turn|step|raise|kick|jump"
        r"|squat|hop|throw|move|go|do|make|take|are|have)\b"
    )
    for text in many(name):
        assert not plural.search(text.lower()), text
        assert not single.search(text.lower()), text


def test_captions_tell_no_side_that_was_not_measured() -> None:
    sided = re.compile(r"\b(left|right|clockwise|counterclockwise)")
    for name, allowed in (
        ("walk", set()),
        ("turn", {"right", "clockwise"}),
        ("circle", {"right", "clockwise"}),
        ("jump turn", {"left", "counterclockwise"}),
        ("squat and raise", {"left"}),
        ("nothing", set()),
    ):
        for text in many(name):
            assert set(sided.findall(text)) <= allowed, text
    for text in many("hop"):  # the other foot is the one that is up
        assert "right" in text


def test_captions_tell_no_number_that_was_not_measured() -> None:
    numbers = re.compile(r"\b(two|three|four|five|six|seven|eight|twice|\d+)\b")
    for name, allowed in (
        ("squat and raise", {"three"}),
        ("back and kick", {"two", "twice", "five"}),
        ("turn", {"90"}),
        ("hop", {"four"}),
        ("jump turn", {"180"}),
    ):
        for text in many(name):
            assert set(numbers.findall(text)) <= allowed, text


def test_captions_tell_no_direction_that_was_not_measured() -> None:
    for text in many("walk"):
        assert not re.search(r"backward|rearward|sideways|reverse|diagonal", text), text
    for text in many("turn"):
        assert not re.search(r"forward|backward|ahead|sideways", text), text


def test_what_only_looks_like_a_punch_is_not_called_one() -> None:
    words = re.compile(r"punch|jab|hook|box|fist")
    assert not any(words.search(text) for text in many("box"))
    named = many("box", BOXING)
    assert any("jab" in text for text in named)
    assert any("hook" in text for text in named)


@pytest.mark.parametrize("name", SCENES)
def test_captions_of_the_mirror_image_are_the_captions_swapped(name: str) -> None:
    label = Annotation(
        family="walk",
        description="walk, turn left",
        style=("sadly",),
        captions=("a person walks and turns left", "he walks with a hurt left leg"),
        scope="trial",
    )
    for seed in range(25):
        for one in (None, label):
            other = None if one is None else mirror_annotation(one)
            swapped = [swap_sides(text) for text in texts(SCENES[name], one, seed=seed)]
            assert texts(mirror_facts(SCENES[name]), other, seed=seed) == swapped


def test_captions_of_a_mirrored_motion_are_the_captions_swapped() -> None:
    motions = [random_motion(seed, 200) for seed in range(8)] + [walk(5).motion()]
    for i, motion in enumerate(motions):
        there = texts(measure(motion), seed=(0, i))
        back = texts(measure(mirror(motion)), seed=(0, i))
        assert back == [swap_sides(text) for text in there]


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("turns left", "turns right"),
        ("Right hand up, left foot back", "Left hand up, right foot back"),
        ("walks clockwise", "walks counterclockwise"),
        ("spins counter-clockwise", "spins clockwise"),
        ("steps leftward", "steps rightward"),
        ("is left standing", "is left standing"),
        ("walks right away", "walks right away"),
        ("turns at right angles", "turns at right angles"),
        ("turns right before stopping", "turns left before stopping"),
        ("is left behind", "is left behind"),
        ("leans left over the broom", "leans right over the broom"),
        ("bends right over with laughter", "bends right over with laughter"),
        ("bows right down", "bows right down"),
        ("the right above the head", "the left above the head"),
        ("stops right above the line", "stops right above the line"),
        ("sways to the right now and then", "sways to the left now and then"),
        ("steps, all rightward", "steps, all leftward"),
        ("makes right-angle turns to the right", "makes right-angle turns to the left"),
        ("stands upright on the left leg", "stands upright on the right leg"),
        ("is left of the line", "is right of the line"),
        ("has left the room on the left", "has left the room on the right"),
    ],
)
def test_sides_are_swapped_and_other_words_are_not(text: str, swapped: str) -> None:
    assert swap_sides(text) == swapped


def test_swapping_twice_gives_the_text_back() -> None:
    for name in SCENES:
        for text in many(name, number=10):
            assert swap_sides(swap_sides(text)) == text


def test_a_skeleton_hides_sides_numbers_and_directions() -> None:
    a = skeleton("A person takes three steps forward, then turns left.")
    b = skeleton("a person takes two steps backward, then turns right")
    assert a == b


def test_wording_is_varied() -> None:
    found = [skeleton(text) for text in many("walk", number=250)]
    assert len(found) > 700
    assert len(set(found)) > 400
    most = max(found.count(s) for s in set(found))
    assert most / len(found) < 0.03


STILL_LABEL = Annotation(
    family="walk",
    description="walk",
    captions=("a person walks forward", "someone stands still"),
    scope="window",
)


def test_a_label_that_the_motion_contradicts_is_not_used() -> None:
    still = measure(Pose().stand(3.0).motion())
    found = [t for seed in range(20) for t in texts(still, STILL_LABEL, seed=seed)]
    assert not any("walk" in text for text in found)
    moving = [
        t for seed in range(20) for t in texts(SCENES["walk"], STILL_LABEL, seed=seed)
    ]
    assert not any("still" in text for text in moving)
    assert any("walks forward" in text.lower() for text in moving)


def test_part_of_a_recording_gets_only_what_is_fully_borne_out() -> None:
    facts = SCENES["walk"]
    assert fully_borne_out("a person walks forward", facts)
    assert not fully_borne_out("a person walks forward and waves", facts)
    assert not fully_borne_out("a person juggles", facts)
    assert contradicts("someone jumps twice", facts)
    assert contradicts("he turns to the left", facts)


def test_the_manner_comes_from_the_style() -> None:
    label = Annotation(
        family="walk", description="zombie", style=("like a zombie",), scope="window"
    )
    found = " ".join(many("walk", label))
    for word in ("shambl", "lifeless", "zombie-like", "zombie"):
        assert word in found
    assert "zombie" not in " ".join(many("walk"))


def test_every_style_is_known_or_speaks_for_itself() -> None:
    assert manner_of("like a walrus") is not None
    assert manner_of("unheard of") is None
    for name, manner in STYLES.items():
        assert manner.manners, name


def test_the_verbs_of_the_banks_double_their_letters_as_english_does() -> None:
    # One vowel and one consonant at the end of a word of one syllable: the letter is
    # doubled. Verbs of two syllables in the banks are stressed on the first.
    short = re.compile(r"^[^aeiou]*[aeiou][bdfgklmnprstvz]$|^qu[aeiou][a-z]$|^squat$")
    for verb in bank_verbs():
        if short.match(verb) and inflect(verb, "ing") == verb + "ing":
            pytest.fail(f"{verb}ing")


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("walk", "walks walking walked"),
        ("carry", "carries carrying carried"),
        ("sway", "sways swaying swayed"),
        ("hop", "hops hopping hopped"),
        ("raise", "raises raising raised"),
        ("punch", "punches punching punched"),
        ("pivot", "pivots pivoting pivoted"),
        ("take", "takes taking took"),
        ("flee", "flees fleeing fled"),
    ],
)
def test_verbs_are_inflected(verb: str, forms: str) -> None:
    found = [inflect(verb, form) for form in ("third", "ing", "past")]
    assert found == forms.split()


def test_a_phrase_takes_every_form() -> None:
    phrase = "~raise {poss} left hand and ~wave"
    assert conjugate(phrase, "third", HE) == "raises his left hand and waves"
    assert conjugate(phrase, "ing", HE) == "raising his left hand and waving"
    they = Subject("they", "they", "their", "themselves")
    assert conjugate(phrase, "third", they) == "raise their left hand and wave"


def test_articles_follow_the_sound() -> None:
    assert (
        fix_articles("a arm, an step, a U-turn, an one")
        == "an arm, a step, a U-turn, a one"
    )
    assert fix_articles("a 180 degree turn") == "a 180 degree turn"


def test_tidying_leaves_one_space_and_no_stammer() -> None:
    assert tidy("walks  up up to , then stops") == "walks up to, then stops"


def test_parts_are_put_together_in_order() -> None:
    first, then = Part("~walk forward"), Part("~turn left", "~raise {poss} hand")
    for seed in range(40):
        text = sentence([first, then], Choice(seed)).lower()
        assert text.index("walk") < text.index("turn"), text
        assert "rais" in text


def test_they_keep_their_plural_to_the_end_of_the_sentence() -> None:
    parts = [Part("~walk forward"), Part("~push a box"), Part("~swing an arm")]
    for seed in range(300):
        text = sentence(parts, Choice(seed)).lower()
        if match := re.search(r"\bthey\b(.*)", text):
            assert not re.search(r"\b(?:walks|pushes|swings)\b", match[1]), text


def test_phrases_for_composition_are_in_the_notation_of_the_grammar() -> None:
    for seed in range(10):
        found = verb_phrases(SCENES["back and kick"], seed=seed)
        assert len(found) <= 4
        assert all("~" in phrase for phrase in found)
    assert any(verb_phrases(SCENES["back and kick"], seed=seed) for seed in range(10))


def test_phrases_come_from_the_facts_the_activity_and_plain_sentences_of_a_label() -> (
    None
):
    own = ("a man walks the dog", "a person walks and hums")
    label = Annotation(
        family="dance", description="salsa", captions=own, scope="trial", style=()
    )
    found = verb_phrases(SCENES["walk"], label, seed=0)
    assert any("salsa" in phrase for phrase in found)
    assert found[-1] == "~walk the dog"  # two verbs do not come apart
    assert not any("hum" in phrase for phrase in found)
    bare = verb_phrases(SCENES["walk"], seed=0)
    assert bare and not any("salsa" in phrase or "dog" in phrase for phrase in bare)


def test_phrases_of_the_mirror_image_are_the_swapped_phrases() -> None:
    for name, facts in SCENES.items():
        ours = verb_phrases(facts, seed=3)
        theirs = verb_phrases(mirror_facts(facts), seed=3)
        assert theirs == [swap_sides(phrase) for phrase in ours], name


def test_two_things_at_once_are_one_phrase() -> None:
    both = Part("~walk ahead", "~wave {poss} hand and ~nod")
    assert both.as_phrase() == "~walk ahead while waving {poss} hand and nodding"
    tangled = Part("~hop while turning", "~clap")
    assert tangled.as_phrase() == "~hop while turning, clapping"
    assert Part("~bow").as_phrase() == "~bow"


def test_real_motions_are_told_as_they_are() -> None:
    squats = Pose().stand()
    for _ in range(2):
        squats.phase(1.6, **squat_angles(1.0))
    told = " ".join(texts(measure(squats.stand().motion()))).lower()
    assert re.search(r"squat|knee", told) and re.search(r"twice|two", told)
    hand = (
        Pose().stand().phase(2.4, left_shoulder_pitch=lambda n: -2.8 * bump(n)).stand()
    )
    told = " ".join(texts(measure(hand.motion()))).lower()
    assert re.search(r"left (?:hand|arm)", told) and "right" not in told


def test_a_caption_is_about_the_whole_motion_unless_it_says_otherwise() -> None:
    assert Caption(text="a person walks") == Caption(
        text="a person walks", tokens=(), start=0.0, end=0.0
    )


def test_a_caption_beside_the_point_weighs_less_than_one_with_the_activity() -> None:
    label = Annotation(family="dance", description="salsa dance", scope="trial")
    plain = Annotation(family="walk", description="")
    measured, named = Caption(text="walks", measured=True), Caption(text="dances salsa")
    assert generated_weight(named, label) == 0.25
    assert generated_weight(measured, label) == 0.1
    assert generated_weight(measured, plain) == 0.25
    said = [c for seed in range(20) for c in captions(SCENES["walk"], label, seed=seed)]
    assert all(c.measured != ("salsa" in c.text.lower()) for c in said)
