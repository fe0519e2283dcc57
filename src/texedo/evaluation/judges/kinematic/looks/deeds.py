"""Which measure looks for what: the names that `words.toml` gives in `see`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from texedo.evaluation.judges.kinematic.lexicon import UNSEEN
from texedo.evaluation.judges.kinematic.looks import arms, going, legs, trunk
from texedo.evaluation.judges.kinematic.scene import Deed, Scene

Look = Callable[[Scene], list[Deed]]

LOOKS: Mapping[str, Look] = {
    look.__name__: look
    for look in (
        going.go,
        going.run,
        going.tread,
        going.march,
        going.tiptoe,
        going.pacing,
        going.zigzag,
        going.circle,
        going.turn,
        going.jump,
        going.hop,
        going.still,
        going.pause,
        going.stop,
        going.stand,
        going.dance,
        trunk.squat,
        trunk.down,
        trunk.low,
        trunk.rise,
        trunk.lunge,
        trunk.kneel,
        trunk.jacks,
        trunk.bow,
        trunk.stoop,
        trunk.lean_back,
        trunk.lean,
        trunk.twist,
        trunk.sway,
        arms.arm_up,
        arms.arm_out,
        arms.arm_front,
        arms.arm_reach,
        arms.arm_down,
        arms.arm_low,
        arms.hand_head,
        arms.hand_face,
        arms.hand_hip,
        arms.hand_chest,
        arms.wave,
        arms.greet,
        arms.clap,
        arms.punch,
        arms.throw,
        arms.swing,
        arms.push,
        arms.flap,
        arms.pick,
        arms.gesture,
        arms.arm_swing,
        legs.kick,
        legs.knee,
        legs.one_leg,
        legs.legs_apart,
    )
}


def look_for(scene: Scene, see: str) -> list[Deed]:
    """All deeds of a kind in a motion."""
    if see == UNSEEN:
        return []
    return scene.seen(see, LOOKS[see])
