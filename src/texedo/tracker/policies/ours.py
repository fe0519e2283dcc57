"""Our tracker at work on a CPU: the actor and its observations behind `Policy`.

Loads torch; imported only when such a tracker is asked for.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texedo.core.errors import CheckpointError
from texedo.quality import Normalizers
from texedo.robot.g1 import ACTION_SCALE, JOINT_NAMES
from texedo.tracker.policies.actor import Actor, load_tracker, save_tracker
from texedo.tracker.policies.blocks import BlockEvaluator, Network, stable_sizes
from texedo.tracker.policies.packed_weights import fast_network
from texedo.tracker.policies.protocol import Actuation, Ints, RobotState
from texedo.tracker.policies.reference import Reference
from texedo.tracker.policies.slot_observation import SlotObserver
from texedo.tracker.policies.spec import TrackerSpec


class TrackerPolicy:
    """A trained actor as a `Policy`."""

    joint_names = JOINT_NAMES

    def __init__(
        self,
        actor: Actor,
        *,
        name: str,
        normalizers: Normalizers | None = None,
        actuation: Actuation | None = None,
    ) -> None:
        self.actor = actor.cpu().float().eval()
        self.name = name
        self.normalizers = normalizers
        self.actuation = Actuation() if actuation is None else actuation
        self.observation_size = actor.spec.actor_obs_size
        self.digest = tracker_digest(self.actor, self.actuation)
        self._network: Network | None = None
        self._sizes: tuple[int, ...] = ()
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | str, *, name: str | None = None) -> TrackerPolicy:
        """From a folder that `save_tracker` wrote; raises `CheckpointError`."""
        actor, metadata = load_tracker(folder)
        return cls(
            actor,
            name=name or Path(folder).resolve().name,
            normalizers=_normalizers(folder, metadata),
        )

    def start(self, num_slots: int) -> TrackerBatch:
        with self._lock:  # Tried out once for all workers.
            if self._network is None:
                network = fast_network(self.actor)
                self._sizes = stable_sizes(network, self.observation_size)
                self._network = network
        size = self.observation_size
        evaluate = BlockEvaluator(self._network, size, self._sizes)
        return TrackerBatch(self.actor.spec, num_slots, evaluate)


def tracker_digest(actor: Actor, actuation: Actuation) -> str:
    """Hash of the layout, of every weight and of the motors."""
    digest = hashlib.sha256(json.dumps(actor.spec.to_dict(), sort_keys=True).encode())
    for name, tensor in sorted(actor.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().numpy().tobytes())
    digest.update(actuation.to_bytes())
    return digest.hexdigest()


def _normalizers(folder: Path | str, metadata: Mapping[str, Any]) -> Normalizers | None:
    stored = metadata.get("e95")
    if stored is None:
        return None
    try:
        return Normalizers(e_acc=float(stored["e_acc"]), e_vel=float(stored["e_vel"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{folder}: metadata.e95 must hold positive e_acc and e_vel: {error}"
        ) from error


def freeze_normalizers(
    folder: Path | str,
    normalizers: Normalizers,
    *,
    roll_outs: int = 0,
    replace: bool = False,
) -> None:
    """Store with a tracker what its q_d is measured by, and over how many roll-outs.

    Normalisers that are there already are kept unless `replace` says otherwise.
    """
    actor, metadata = load_tracker(folder)
    if "e95" in metadata and not replace:
        raise CheckpointError(
            f"{folder}: has normalisers already, and every Q* so far rests on them; "
            "copy the tracker to give it others."
        )
    e95 = {
        "e_acc": normalizers.e_acc,
        "e_vel": normalizers.e_vel,
        "roll_outs": roll_outs,
    }
    save_tracker(folder, actor, metadata={**metadata, "e95": e95})


class TrackerBatch:
    """The actor at work on some slots."""

    def __init__(
        self, spec: TrackerSpec, num_slots: int, evaluate: BlockEvaluator
    ) -> None:
        self._observer = SlotObserver(spec, num_slots)
        self._evaluate = evaluate
        self._frames = np.zeros(num_slots, dtype=np.int64)

    def reset(self, slot: int, reference: Reference) -> None:
        self._observer.reset(slot, reference.motion)

    def observe(self, slots: Ints, frames: Ints, state: RobotState) -> NDArray[Any]:
        self._frames[slots] = frames
        return self._observer.observe(slots, frames, state)

    def act(self, slots: Ints, observation: NDArray[Any]) -> NDArray[Any]:
        # The actor clips its actions itself.
        action = self._evaluate(observation)
        self._observer.remember(slots, action)
        following = self._observer.next_joints(slots, self._frames[slots])
        return following + ACTION_SCALE * action
