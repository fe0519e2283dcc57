"""Word banks are files: what they may hold, and what is said when they do not."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from texedo.core.errors import FileFormatError
from texedo.data.captions.banks import SLOTS, load_bank, load_tables, make_bank
from texedo.data.captions.banks.actions import ACTIONS, action_of, read_actions
from texedo.data.captions.banks.manners import (
    MANNERS,
    STYLES,
    read_manners,
    read_styles,
)
from texedo.data.captions.banks.sentences import SUBJECTS, read_subjects
from texedo.data.captions.grammar import Subject
from texedo.data.synth.author.phrases.common import author_bank

BANKS = "texedo.data.captions.banks"


def test_entries_are_found_by_their_dotted_names() -> None:
    bank = make_bank({"out": {"side": ["~lean {side}"]}, "up": "[up|high]"}, "x.toml")
    assert bank["out.side"] == ("~lean {side}",)
    assert bank.text("up") == "[up|high]"
    assert "up" in bank and "down" not in bank
    assert sorted(bank.templates()) == ["[up|high]", "~lean {side}"]
    with pytest.raises(
        FileFormatError, match=r"x\.toml: there is no entry 'out\.back'"
    ):
        bank["out.back"]


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("~walk {whither}", r"x\.toml, go: .* has a slot \{whither\}"),
        ("~walk [fast|slow", "has a bracket"),
        ("~walk fast|slow", "has a bracket"),
        ("walk ~", "or a ~ too many"),
        ("~walk {side", "a brace"),
        ("", "a template is a text"),
        (3, "a template is a text"),
    ],
)
def test_a_template_that_does_not_fit_together_is_refused(
    template: Any, message: str
) -> None:
    with pytest.raises(FileFormatError, match=message):
        make_bank({"go": [template]}, "x.toml", SLOTS)


def test_choices_may_be_nested_and_empty() -> None:
    templates = ["~go [on [foot|tiptoe]|] {dir}"]
    assert make_bank({"go": templates}, "x.toml", SLOTS)["go"] == tuple(templates)
    with pytest.raises(FileFormatError, match="a list of templates"):
        make_bank({"go": []}, "x.toml")


def test_all_banks_that_are_there_can_be_loaded() -> None:
    names = {p.name for p in files(BANKS).iterdir() if p.name.endswith(".toml")}
    plain = {"arms.toml", "body.toml", "travel.toml"}
    assert names == plain | {
        "actions.toml",
        "contrary.toml",
        "manners.toml",
        "paraphrase.toml",
        "reading.toml",
        "sentences.toml",
        "styles.toml",
    }
    for name in plain:
        assert list(load_bank(name.removesuffix(".toml")).templates())
    for name in ("arms", "legs", "walk"):
        assert list(author_bank(name).templates())


def test_manners_styles_actions_and_subjects_come_from_their_files() -> None:
    assert STYLES["joyfully"] is MANNERS["happy"]
    assert "shamble" in MANNERS["zombie"].verbs
    action = action_of("dance the salsa")
    assert action is ACTIONS[0] and "~do a salsa dance" in action.phrases
    assert SUBJECTS[Subject("a person", "he", "his", "himself")] == 14
    with pytest.raises(FileFormatError, match="sad: a manner is a table"):
        read_manners({"sad": {"verbs": ["trudge"]}}, "m.toml")
    with pytest.raises(FileFormatError, match="'mood' is none of manners"):
        read_manners({"sad": {"manners": ["sadly"], "mood": []}}, "m.toml")
    with pytest.raises(FileFormatError, match="sadly: there is no manner 'sad'"):
        read_styles({"sadly": "sad"}, {}, "s.toml")
    with pytest.raises(FileFormatError, match=r"a\.toml, action 1: .* regular"):
        read_actions({"action": [{"pattern": "(", "phrases": ["~go"]}]}, "a.toml")
    with pytest.raises(FileFormatError, match="action 1: an action has pattern"):
        read_actions({"action": [{"pattern": "x"}]}, "a.toml")
    with pytest.raises(FileFormatError, match="subject 1: pronouns 'ze' are none of"):
        row = {"name": "a person", "pronouns": "ze", "weight": 1}
        read_subjects({"subjects": [row], "pronouns": {"it": []}}, "s.toml")


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(FileFormatError, match=r"verbs\.toml cannot be read"):
        load_tables("verbs")
