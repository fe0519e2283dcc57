"""Everything that is derived from a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from texedo.data.corpus.splits import SplitCfg, split_faults
from texedo.data.corpus.store import Clip, Corpus
from texedo.data.synth.author import Spec, author_many
from texedo.data.synth.compose import corpus as compose
from texedo.data.synth.compose.corpus import DeriveCfg, DerivedClip, derive
from texedo.data.synth.compose.make import make_authored
from texedo.data.synth.compose.mirror import mirror_clip
from texedo.motion import Motion
from texedo.robot.mirror import mirror, mirror_qpos

CFG = DeriveCfg(authored=False, pairs=10, triples=2, overlays=6, tempos=6)
SPECS = [
    *(Spec(kind="walk", way=w, count=2) for w in ("forward", "backward", "left")),
    *(Spec(kind="turn", angle=a) for a in (45, -45, 90)),
    Spec(kind="salute", side="left"),
    Spec(kind="hand_to_head", side="right"),
    *(Spec(kind="raise_hand", side=s, way="up") for s in ("left", "right")),
    Spec(kind="bow"),
    Spec(kind="squat"),
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Authored motions that pass for captured ones, in two splits."""
    clips, frames, at = [], [], 0
    made = make_authored(SPECS, seed=0, splits=SplitCfg())
    for i, (clip, block) in enumerate(made):
        clips.append(
            replace(
                clip,
                id=f"{i:02d}_01-00",
                trial=f"{i:02d}_01",
                subject=f"{i:02d}",
                group=f"{i:02d}_01",
                kind="captured",
                split="test" if i % 3 == 0 else "train",
                first_frame=at,
                captions=(_plain(SPECS[i]),),
                family="walk" if SPECS[i].kind in ("walk", "turn") else "gesture",
            )
        )
        frames.append(block)
        at += len(block)
    return Corpus(clips, np.concatenate(frames), info={})


def _plain(spec: Spec) -> str:
    side = spec.side or ("left" if spec.angle > 0 else "right")
    return {
        "walk": f"a person walks {spec.way}",
        "turn": f"a person turns {side}",
        "bow": "a person bows deeply",
        "squat": "a person squats down",
    }.get(spec.kind, f"a person raises their {side} hand")


@pytest.fixture(scope="module")
def derived(corpus: Corpus) -> list[DerivedClip]:
    return list(derive(corpus, cfg=CFG))


def of_kind(derived: list[DerivedClip], kind: str) -> list[DerivedClip]:
    return [made for made in derived if made.clip.kind == kind]


def same(a: list[DerivedClip], b: list[DerivedClip]) -> bool:
    return [x.clip for x in a] == [y.clip for y in b] and all(
        np.array_equal(x.frames, y.frames) for x, y in zip(a, b, strict=True)
    )


def test_something_of_every_kind_is_made(derived: list[DerivedClip]) -> None:
    kinds = {made.clip.kind for made in derived}
    assert kinds == {"mirrored", "tempo", "overlay", "sequence"}
    assert len(of_kind(derived, "sequence")) >= 5
    assert len(of_kind(derived, "overlay")) >= 3


def test_clips_are_whole_and_of_the_right_length(derived: list[DerivedClip]) -> None:
    for clip, frames in derived:
        assert frames.shape == (clip.num_frames, 36)
        assert frames.dtype == np.float32
        assert 100 <= clip.num_frames <= 500
        assert clip.captions
        assert np.abs(frames[0, :2]).max() < 1e-5


def test_ids_are_unique(derived: list[DerivedClip]) -> None:
    names = [made.clip.id for made in derived]
    assert len(set(names)) == len(names)


def test_nothing_crosses_the_splits(corpus: Corpus, derived: list[DerivedClip]) -> None:
    clips = [*corpus.clips, *(made.clip for made in derived)]
    assert split_faults(clips) == []
    by_id = {clip.id: clip for clip in clips}
    for clip, _ in derived:
        assert clip.parents
        assert {by_id[parent].split for parent in clip.parents} == {clip.split}


def test_a_second_run_gives_the_same(
    corpus: Corpus, derived: list[DerivedClip]
) -> None:
    assert same(derived, list(derive(corpus, cfg=CFG)))


def test_an_interrupted_run_is_taken_up(
    corpus: Corpus,
    derived: list[DerivedClip],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compose, "_RECIPES_PER_CHUNK", 6)
    running = derive(corpus, cfg=CFG, folder=tmp_path)
    assert same(list(running), derived)
    saved = sorted(tmp_path.glob("composed-*.npz"))
    assert len(saved) >= 3
    saved[0].unlink()
    saved[1].write_bytes(b"half a file")
    kept = {path.name: path.stat().st_mtime_ns for path in saved[2:]}
    assert same(list(derive(corpus, cfg=CFG, folder=tmp_path)), derived)
    assert {p: (tmp_path / p).stat().st_mtime_ns for p in kept} == kept


def test_a_mirrored_clip_is_the_mirrored_motion_with_swapped_words(
    corpus: Corpus, derived: list[DerivedClip]
) -> None:
    mirrored = of_kind(derived, "mirrored")
    assert len(mirrored) == len(corpus)
    for i, (clip, frames) in enumerate(mirrored):
        source = corpus.clips[i]
        assert Motion.from_qpos(frames) == mirror(corpus.motion(i))
        assert clip.parents == (source.id,)
        assert (clip.split, clip.group) == (source.split, source.group)
        for text, other in zip(clip.captions, source.captions, strict=True):
            assert ("left" in text) == ("right" in other)


def test_the_mirror_of_the_mirror_is_the_clip(corpus: Corpus) -> None:
    frames = np.asarray(corpus.frames(3))
    np.testing.assert_array_equal(mirror_qpos(mirror_qpos(frames)), frames)
    clip = corpus.clips[3]
    assert mirror_clip(mirror_clip(clip)).captions == clip.captions


def test_a_sequence_holds_its_parts(corpus: Corpus, derived: list[DerivedClip]) -> None:
    for clip, frames in of_kind(derived, "sequence"):
        lengths = [corpus.clips[corpus.index(p)].num_frames for p in clip.parents]
        assert len(frames) > 0.7 * sum(lengths)
        first = np.asarray(corpus.frames(corpus.index(clip.parents[0])))
        start = frames[:20, 7:]
        assert any(
            np.abs(other[:20, 7:] - start).max() < 1e-4
            for other in (first, mirror_qpos(first))
        )


def test_an_overlay_keeps_the_steps_and_changes_the_arms(
    corpus: Corpus, derived: list[DerivedClip]
) -> None:
    for clip, frames in of_kind(derived, "overlay"):
        base = np.asarray(corpus.frames(corpus.index(clip.parents[0])))
        assert len(frames) == len(base)
        assert np.abs(frames[:, :2] - base[:, :2]).max() < 0.08
        assert np.abs(frames[:, 22:] - base[:, 22:]).max() > 0.4


def test_a_tempo_variant_says_so(derived: list[DerivedClip]) -> None:
    words = ("slow", "quick", "fast", "rapid", "swift", "hurr", "haste", "speed")
    for clip, _ in of_kind(derived, "tempo"):
        for text in clip.captions:
            assert any(w in text.lower() for w in (*words, "leisurely"))


def test_authored_clips_are_placed_by_their_group() -> None:
    specs = [
        Spec(kind="wave", side=s, take=t) for s in ("left", "right") for t in (0, 1)
    ]
    made = list(make_authored(specs, seed=0, splits=SplitCfg(seed=3)))
    assert len({clip.split for clip, _ in made}) == 1
    assert {clip.subject for clip, _ in made} == {"authored"}
    for clip, frames in made:
        assert clip.quality["self_penetration_max_m"] < 0.01
        assert clip.num_frames == len(frames)


def test_authored_motions_can_be_parts_of_sequences(corpus: Corpus) -> None:
    def few(seed: int) -> Iterator[Spec]:
        yield from (Spec(kind="wave", side="left", take=t) for t in range(6))

    cfg = DeriveCfg(mirrored=False, pairs=12, triples=0, overlays=0, tempos=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compose, "authored_specs", few)
        made = list(derive(corpus, cfg=cfg))
    assert len(of_kind(made, "authored")) == 6
    parents = {p for clip, _ in of_kind(made, "sequence") for p in clip.parents}
    assert any(parent.startswith("au-wave") for parent in parents)


def test_frames_of_many_authored_specs_come_in_order() -> None:
    names = [made.spec.id for made in author_many(SPECS[:5])]
    assert names == [spec.id for spec in SPECS[:5]]


def test_a_clip_without_phrases_is_no_part_of_anything(corpus: Corpus) -> None:
    silent: dict[str, tuple[str, ...]] = {clip.id: () for clip in corpus}
    made = list(derive(corpus, phrases_of=silent, cfg=CFG))
    assert {clip.kind for clip, _ in made} == {"mirrored"}


def test_the_phrases_that_come_with_clips_are_the_words_of_what_is_made(
    corpus: Corpus,
) -> None:
    given = {clip.id: (f"~zig {i} zags",) for i, clip in enumerate(corpus)}
    cfg = replace(CFG, mirrored=False, tempos=0, overlays=0, pairs=6, triples=0)
    made = list(derive(corpus, phrases_of=given, cfg=cfg))
    assert made
    for clip, _ in made:
        numbers = [corpus.index(parent) for parent in clip.parents]
        for caption in clip.captions:
            told = [caption.index(f" {n} zags") for n in numbers]
            assert told == sorted(told)


def test_records_survive_their_file(derived: list[DerivedClip], tmp_path: Path) -> None:
    from texedo.data.synth.compose.chunks import load_clips, save_clips

    save_clips(tmp_path / "x.npz", "key", derived[:3])
    assert same(load_clips(tmp_path / "x.npz"), derived[:3])
    save_clips(tmp_path / "none.npz", "key", [])
    assert load_clips(tmp_path / "none.npz") == []
    assert isinstance(derived[0].clip, Clip)
