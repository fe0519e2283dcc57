"""Candidates drawn as training data, and what is said about them."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.motions import random_motion
from tests.support.small_lm import small_model
from tests.support.standing import standing
from texedo.core.errors import FileFormatError, TexedoError
from texedo.data.captions.activities import RequestPrompt
from texedo.data.captions.activities.rules import parse
from texedo.data.corpus.drawn import (
    REQUESTS,
    Candidate,
    Part,
    read_parts,
    write_part,
)
from texedo.text.learn.draw.draw import (
    DrawCfg,
    Prompt,
    choose_prompts,
    choose_requests,
    draw,
)
from texedo.text.learn.draw.tell import tell
from texedo.text.learn.draw.tokens import captions_of, write_drawn_tokens
from texedo.text.learn.lm.data import read_tokens, write_tokens
from texedo.text.tokenizer.tokenizer import MotionTokenizer


def _candidate(name: str, **changes: object) -> Candidate:
    values = dict(
        id=name,
        split="train",
        family="walk",
        prompt="a person jumps",
        temperature=1.0,
        guidance=2.5,
        true=("he walks",),
        false=("he jumps",),
        obeys="perhaps",
        still=0.1,
    )
    return Candidate(**(values | changes))  # type: ignore[arg-type]


def _write(folder: Path, candidates: list[Candidate], codes: int = 20) -> None:
    part = Part(
        candidates=tuple(candidates),
        codes=[np.arange(codes) + i for i in range(len(candidates))],
        poses=[random_motion(i, frames=4).to_qpos() for i in range(len(candidates))],
    )
    folder.mkdir(exist_ok=True)
    write_part(folder / "part-00000.npz", part)


def test_a_part_comes_back_as_it_was(tmp_path: Path) -> None:
    _write(tmp_path, [_candidate("a"), _candidate("b", obeys="yes", true=())])
    (part,) = read_parts(tmp_path)
    assert part.candidates == (_candidate("a"), _candidate("b", obeys="yes", true=()))
    assert part.codes[1].tolist() == list(range(1, 21))
    np.testing.assert_allclose(
        part.poses[1], random_motion(1, frames=4).to_qpos(), atol=1e-6
    )


def test_a_folder_without_parts_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="holds no drawn candidates"):
        list(read_parts(tmp_path))


def test_a_prompt_that_was_not_obeyed_is_no_caption() -> None:
    assert captions_of(_candidate("a", obeys="no")) == ["he walks"]
    assert captions_of(_candidate("a")) == ["a person jumps", "he walks"]


def test_the_token_file_holds_the_obedient_first_and_nothing_idle(
    tmp_path: Path,
) -> None:
    rows = [
        _candidate("perhaps"),
        _candidate("obeyed", obeys="yes"),
        _candidate("idle", still=0.9),
        _candidate("held out", split="val"),
        _candidate("nothing", obeys="no", true=()),
    ]
    _write(tmp_path / "drawn", rows)
    out = tmp_path / "tokens.npz"
    assert write_drawn_tokens(tmp_path / "drawn", out, limit=9, num_codes=100) == 2
    data = read_tokens(out)
    assert data.ids == ("obeyed", "perhaps") and data.kinds == ("drawn", "drawn")
    assert write_drawn_tokens(tmp_path / "drawn", out, limit=1, num_codes=100) == 1


def test_what_never_ends_is_left_out(tmp_path: Path) -> None:
    _write(tmp_path / "drawn", [_candidate("a")], codes=200)
    with pytest.raises(TexedoError, match="no useful candidates"):
        write_drawn_tokens(
            tmp_path / "drawn", tmp_path / "t.npz", limit=9, num_codes=400
        )


def test_clips_take_turns_with_their_captions(tmp_path: Path) -> None:
    clips = [
        {"id": i, "split": "train", "kind": "captured", "family": "walk", "captions": c}
        for i, c in (("many", ["a", "b", "c", "d"]), ("one", ["e"]))
    ]
    write_tokens(tmp_path / "t.npz", [np.arange(3)] * 2, clips, num_codes=9)
    chosen = choose_prompts(
        read_tokens(tmp_path / "t.npz"), split="train", number=2, seed=0
    )
    assert {prompt.id for prompt in chosen} == {"many", "one"}


def test_who_stands_still_does_not_walk_and_it_is_said() -> None:
    (told,) = tell("a person walks forward", [standing(150, swing=0.0)], seed=0)
    assert told.obeys == "no" and told.still > 0.9
    assert "a person walks forward" in told.false and told.true


class _Standing:
    """Every code is four frames of standing."""

    def decode(self, codes: Sequence[NDArray[np.int64]]) -> list[NDArray[np.float32]]:
        return [standing(4 * len(row), swing=0.0).to_qpos() for row in codes]


def test_drawing_goes_on_where_it_was_and_tells_the_truth(tmp_path: Path) -> None:
    ways = ("forward", "backward", "ahead")
    prompts = [Prompt(f"a person walks {x}", x, "train", "walk") for x in ways]
    cfg = DrawCfg(
        candidates=2, prompts_per_part=2, guidances=(1.0,), temperatures=(1.0,)
    )

    def run() -> int:
        return draw(
            prompts,
            small_model(),
            cast(MotionTokenizer, _Standing()),
            tmp_path,
            cfg=cfg,
            workers=1,
        )

    assert run() == 6 and len(list(tmp_path.glob("part-*.npz"))) == 2
    (tmp_path / "part-00001.npz").unlink()
    assert run() == 2  # The part with the third prompt alone.
    first, _ = read_parts(tmp_path)
    assert [one.obeys for one in first.candidates] == ["no"] * 4
    assert [4 * len(row) for row in first.codes] >= [len(q) for q in first.poses]


def test_requests_are_judged_by_their_rules(tmp_path: Path) -> None:
    still = RequestPrompt(
        text="stand still",
        id="stand-still",
        rule=parse("still()"),
        others=("do not move", "freeze", "stay as you are", "rest"),
    )
    jump = RequestPrompt(
        text="jump", id="jump-n", rule=parse("jump()"), others=("hop",)
    )
    asked = [Prompt(one.text, one.id, "train", REQUESTS, one) for one in (still, jump)]
    draw(
        asked,
        small_model(),
        cast(MotionTokenizer, _Standing()),
        tmp_path,
        cfg=DrawCfg(candidates=2, guidances=(1.0,), temperatures=(1.0,)),
        workers=1,
    )
    (part,) = read_parts(tmp_path)
    by_prompt = {one.prompt: one for one in part.candidates}
    obeyed, ignored = by_prompt["stand still"], by_prompt["jump"]
    words = ("stand still", "do not move", "freeze", "stay as you are")
    assert obeyed.obeys == "yes" and obeyed.true[:4] == words
    assert obeyed.phrasings == words[1:] and "stand still" not in obeyed.false
    assert ignored.obeys == "no" and {"jump", "hop"} <= set(ignored.false)
    assert "jump" not in ignored.true


def test_of_a_request_a_few_that_obey_are_kept_and_the_rare_come_first(
    tmp_path: Path,
) -> None:
    def asked(name: str, prompt: str, **changes: object) -> Candidate:
        values = {"family": REQUESTS, "obeys": "yes", "phrasings": (f"{prompt}!",)}
        return _candidate(name, prompt=prompt, **(values | changes))

    rows = [asked(f"easy {i}", "walk") for i in range(9)]
    rows += [asked("rare", "dig"), asked("perhaps", "dig", obeys="perhaps")]
    rows += [asked("no", "dig", obeys="no"), asked("resting", "pray", still=0.6)]
    _write(tmp_path / "drawn", rows)
    out = tmp_path / "tokens.npz"
    assert write_drawn_tokens(tmp_path / "drawn", out, limit=99, num_codes=100) == 6
    data = read_tokens(out)
    assert set(data.ids[:2]) == {"rare", "resting"}
    assert data.captions[data.ids.index("rare")] == ["dig", "dig!"]


def test_requests_are_chosen_without_a_token_file() -> None:
    chosen = choose_requests(number=40, seed=3)
    assert len({one.text for one in chosen}) == 40
    assert {one.family for one in chosen} == {REQUESTS}
    assert {one.split for one in chosen} == {"train"}
    assert all(one.request is not None for one in chosen)
