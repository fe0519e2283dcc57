"""A few random clips, packed for the tokenizer's trainer, and a run that takes a second."""

from pathlib import Path
from typing import Any

from tests.support.motions import random_motion
from texedo.data.corpus.store import Clip, Corpus, write_corpus
from texedo.text.learn.tokenizer.cfg import TokenizerTrainCfg
from texedo.text.learn.tokenizer.data import pack_tokenizer_clips

TINY: dict[str, Any] = {
    "minutes": 0.0,
    "steps": 4,
    "batch_frames": 128,
    "windows": "32,64",
    "width": 16,
    "encoder_depth": 1,
    "decoder_depth": 1,
    "warm_up": 2,
    "device": "cpu",
}


def pack_small_clips(folder: Path) -> Path:
    """Three training clips of 90 frames and one of 70 for each other split."""
    names = [("t0", "train"), ("t1", "train"), ("t2", "train")]
    names += [(split, split) for split in ("val", "test", "test-subject")]
    clips = [small_clip(n, 90 if s == "train" else 70, s) for n, s in names]
    frames = [random_motion(i, c.num_frames).to_qpos() for i, c in enumerate(clips)]
    write_corpus(folder / "corpus", clips, frames)
    pack_tokenizer_clips(Corpus.load(folder / "corpus"), folder / "clips.npz")
    return folder / "clips.npz"


def tiny_training(packed: Path, out: Path, **options: Any) -> TokenizerTrainCfg:
    """Four steps of a network of 16 channels, unless told otherwise."""
    return TokenizerTrainCfg(data=str(packed), out=str(out), **{**TINY, **options})


def small_clip(
    name: str, frames: int, split: str, kind: str = "captured", copy: bool = False
) -> Clip:
    """A walk of a corpus, alone in its group."""
    return Clip(
        id=name,
        trial=name,
        subject="01",
        start=0.0,
        end=frames / 50,
        first_frame=0,
        num_frames=frames,
        family="walk",
        split=split,
        group=name,
        kind=kind,
        captions=("a person walks",),
        parents=("x",) if kind in ("tempo", "mirrored", "sequence") else (),
        copy_of="other" if copy else None,
    )
