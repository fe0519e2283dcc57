"""Names as they may be shown."""

import os

from texedo.core.visible import visible


def test_control_characters_are_escaped() -> None:
    assert visible("a\nb\x1b[31m\x85.npz") == "a\\nb\\x1b[31m\\x85.npz"
    assert visible("\u202efdp.npz") == "\\u202efdp.npz"


def test_bytes_that_are_no_utf_8_are_shown_as_bytes() -> None:
    assert visible(os.fsdecode(b"clip\xff.npz")) == "clip\\xff.npz"


def test_other_letters_stay() -> None:
    assert visible("tänzerin 踊る 0.5.npz") == "tänzerin 踊る 0.5.npz"
    assert visible("Hips\n  Spine", keep="\n") == "Hips\n  Spine"
