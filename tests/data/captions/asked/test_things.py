"""What a sentence is about, thing by thing."""

from texedo.data.captions.asked.things import things_of


def test_a_sentence_is_about_things_in_turn_or_at_once_or_about_one() -> None:
    turn = things_of("a person walks forward, turns left, waves")
    assert turn is not None and turn.in_turn and len(turn.sentences) == 3
    once = things_of("a person walks forward while waving")
    assert once is not None and not once.in_turn
    assert once.sentences == ("a person walks forward", "a person waves")
    assert things_of("a person waves") is None


def test_more_than_eight_things_are_a_whole() -> None:
    eight = ", ".join(["walks", "turns"] * 4)
    assert things_of(f"a person {eight}") is not None
    assert things_of(f"a person {eight}, waves") is None
