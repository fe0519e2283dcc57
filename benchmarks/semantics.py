"""How fast R_text is: 32 candidates of 5 s in one batch, beside one at a time.

    python benchmarks/semantics.py [cpu|cuda] [VERIFIER ...]

From the prompt and the motions to the scores, features included; every round has another
prompt, so that nothing is remembered. Verifiers are `texedo`, `texedo@network`, `paper`, or folders. For the
default variant the stages are measured too, each on its own and operator by operator; on
a GPU the whole is one graph, which is less than their sum.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle

import numpy as np
import torch

from common import CANDIDATES, ROUNDS, SECONDS, busy_motion, milliseconds
from texedo.motion import Motion
from texedo.see.semantics.cross.frames import motion_frames, padded_poses
from texedo.see.semantics.cross.quick import tf32_on
from texedo.see.semantics.cross.verifier import CrossVerifier
from texedo.see.semantics.find import find_semantics
from texedo.see.semantics.protocol import SemanticVerifier, r_text

HANDS, ENDS = ("right", "left"), ("", " and stops", " twice", " slowly", " again")
PROMPTS = [
    f"a person walks {way} and waves with the {hand} hand{end}"
    for way in ("forward", "backward", "sideways")
    for hand in HANDS
    for end in ENDS
]


def main(place: str, names: list[str]) -> None:
    motions = [busy_motion(seed) for seed in range(CANDIDATES)]
    print(
        f"{CANDIDATES} candidates of {SECONDS:g} s on {place}, median of {ROUNDS} [ms]"
    )
    for name in names:
        verifier = find_semantics(name)
        own = r_text(verifier, PROMPTS[0], motions)
        if place != "cpu" and hasattr(verifier, "to"):
            verifier.to(place)
        together = milliseconds(
            partial(_next_prompt, verifier, cycle(PROMPTS), motions), place
        )
        alone = milliseconds(partial(_one_by_one, verifier, motions), place)
        print(
            f"{name}: {together:.2f}; one at a time {alone / together:.1f} times that"
        )
        if isinstance(verifier, CrossVerifier):
            with tf32_on(verifier.device):
                _print_stages(verifier, motions, place)
        if place != "cpu":
            off = np.abs(r_text(verifier, PROMPTS[0], motions) - own).max()
            print(f"  scores are within {off:.1e} of those of the CPU")


@torch.inference_mode()
def _print_stages(
    verifier: CrossVerifier, motions: Sequence[Motion], place: str
) -> None:
    """Where the time goes, from the prompt to the logits."""
    net, device, prompts = verifier.net, verifier.device, cycle(PROMPTS)
    clips = [motion.to_qpos() for motion in motions]
    length = -(-len(clips[0]) // 2)
    poses = torch.from_numpy(padded_poses(clips, length)).to(device)
    lengths = torch.full((len(clips),), length, device=device)
    frames = motion_frames(poses)
    said = verifier._read_texts(PROMPTS[:1])
    seen = net.read_motions(frames, lengths)
    pieces = torch.tensor([verifier._read(PROMPTS[0]).ids], device=device)
    mask = torch.ones_like(pieces, dtype=torch.bool)

    def read_anew() -> None:
        verifier._readings.clear()
        verifier._read(next(prompts))

    stages: dict[str, Callable[[], object]] = {
        "reading the prompt": read_anew,
        "gathering poses": lambda: padded_poses([m.to_qpos() for m in motions], length),
        "sending poses": lambda: torch.from_numpy(poses_cpu).to(device),
        "features": lambda: motion_frames(poses),
        "text encoder": lambda: verifier._encoder(pieces, mask),
        "network, motions": lambda: net.read_motions(frames, lengths),
        "network, pairs": lambda: net.logits(said.repeat(len(clips)), seen),
    }
    poses_cpu = poses.cpu().numpy()
    parts = [f"{n} {milliseconds(run, place):.2f}" for n, run in stages.items()]
    print("  stages: " + "; ".join(parts))
    if place != "cpu":
        for slot in verifier._quick._slots.values():
            taken = milliseconds(slot.replayed, place)
            print(f"  {slot.shape}: its graph alone {taken:.2f}")


def _next_prompt(
    verifier: SemanticVerifier, prompts: Iterator[str], motions: Sequence[Motion]
) -> None:
    r_text(verifier, next(prompts), motions)


def _one_by_one(verifier: SemanticVerifier, motions: Sequence[Motion]) -> None:
    for motion in motions:
        r_text(verifier, PROMPTS[0], [motion])


if __name__ == "__main__":
    given = sys.argv[1:] or ["cpu"]
    main(given[0], given[1:] or ["texedo", "texedo@network", "paper"])
