"""`texedo adapt`: teach the dynamic verifier another tracker, and say how many labels."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from texedo.apps.adapt.curve import (
    FIGURES,
    Point,
    curve_table,
    enough_labels,
    sentences,
)
from texedo.apps.adapt.judge import Figures, judge, read_performed
from texedo.apps.adapt.motions import JUDGED, Wanted, copy_motions
from texedo.apps.adapt.record import RECORD, Record
from texedo.apps.console import make_console
from texedo.apps.data import label_trials
from texedo.apps.evaluate.dynamics import Movable
from texedo.apps.train.before import check_numbers, need_packages
from texedo.apps.train.next_step import say_next
from texedo.checkpoints.artifact import CONFIG_NAME
from texedo.checkpoints.bundled import bundled_folder
from texedo.core.errors import CheckpointError, TexedoError
from texedo.data.corpus.trials import labels_folder
from texedo.quality import Normalizers
from texedo.see.dynamics.find import DEFAULT_DYNAMICS, KINDS, find_dynamics
from texedo.see.dynamics.protocol import DynamicsVerifier
from texedo.tracker.policies.find import find_policy
from texedo.tracker.policies.protocol import Policy
from texedo.tracker.policies.weaken import weaken

INTERRUPTED = "Labels, training and figures so far are kept; the same command goes on."
MOTIONS = "motions"


@dataclass(frozen=True)
class Cfg:
    """Teach the dynamic verifier another tracker. The verifier that ships knows the
    controller that ships; another one falls at other motions.

    The reference motions (`texedo data trials`) are performed by your tracker, the
    verifier is trained further on 1000, 2000, ... of these labels, and each is judged on
    held-out motions: AUROC of success, and tau, how alike R_dyn and Q* order the
    candidates of a prompt. The table says how many labels give 95 % of what all of them
    gain. Ctrl-C loses nothing; the same command goes on.

    Example: texedo adapt --tracker my_tracker/ --trials trials -o adapted
    """

    tracker: Annotated[str, tyro.conf.arg(metavar="NAME|PATH")]
    """Your controller, as in `texedo rollout`: a folder, or an ONNX policy."""
    trials: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path("trials")
    """The reference motions; `texedo data trials` makes them."""
    labels: Annotated[str, tyro.conf.arg(metavar="N,N,N")] = "1000,2000,4000,8000,16000"
    """Numbers of labels to learn from. So many motions as the largest are performed."""
    held: int = 4000
    """Motions of `val` to perform as well: half of them calibrate, half are judged by."""
    from_: Annotated[str, tyro.conf.arg(name="from", metavar="NAME|PATH")] = (
        DEFAULT_DYNAMICS
    )
    """The verifier to begin with: `texedo` (ours), `paper`, or the folder of one."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = Path("adapted")
    """Folder for motions, labels, and a verifier for each number of labels."""
    gains: float = 1.0
    """Weaken the controller: its motors' stiffness and damping times this."""
    delay_ms: int = 0
    """Weaken the controller: each target takes effect so much later, in steps of 20 ms."""
    draws: int = 5
    """Perturbed robots a motion; 0 for the nominal one alone."""
    minutes: float = 1.0
    """Training time for each number of labels [min]."""
    steps: int = 0
    """Train this many steps instead, however long they take."""
    learning_rate: float = 1e-4
    """Peak learning rate; lower than that of a training from nothing."""
    device: Annotated[str, tyro.conf.arg(metavar="cpu|cuda")] = "cpu"
    """Where to perform and to learn; on `cuda` only our own trackers perform."""
    workers: int | None = None
    """Threads that perform on the CPU; all cores if not given."""
    seed: int = 0
    """Which motions, and the order in which they are learnt from."""
    json: bool = False
    """The curve as JSON on standard output."""


def run(cfg: Cfg) -> int:
    need_packages("torch", "safetensors")
    check_numbers("--labels", cfg.labels)
    if cfg.held < 2:
        raise TexedoError(f"--held must be at least 2, got {cfg.held}.")
    start = start_folder(cfg.from_)
    policy = weaken(find_policy(cfg.tracker), gains=cfg.gains, delay_ms=cfg.delay_ms)
    cfg.out.mkdir(parents=True, exist_ok=True)
    record = Record(cfg.out, _request(cfg, policy, start))
    # What labelling and training say on the way is no part of the result.
    with redirect_stdout(sys.stderr if cfg.json else sys.stdout):
        points = find_points(cfg, policy, start, record)
    _tell(cfg, points, record, policy)
    return 0


def find_points(cfg: Cfg, policy: Policy, start: Path, record: Record) -> list[Point]:
    """The curve: perform the motions, then learn from more and more of them."""
    asked = sorted({int(number) for number in cfg.labels.split(",")})
    wanted = Wanted(learn=max(asked), held=cfg.held, seed=cfg.seed)
    chosen = copy_motions(cfg.trials, cfg.out / MOTIONS, wanted)
    labels = label_motions(cfg, policy)
    normalizers = _normalizers(policy, start)
    performed = read_performed(
        cfg.out / MOTIONS, labels, split=JUDGED, normalizers=normalizers
    )
    points = [record.point(0, lambda: judge(_placed(start, cfg), performed))]
    for number in sorted({min(number, chosen.count("train")) for number in asked}):

        def learnt(number: int = number) -> Figures:
            print(f"learning from {number:,} labels", flush=True)
            folder = fine_tune(cfg, number, start, labels, normalizers)
            return judge(_placed(folder, cfg), performed)

        points.append(record.point(number, learnt))
    return points


def _placed(folder: Path, cfg: Cfg) -> DynamicsVerifier:
    """The verifier of a folder, where it is asked."""
    verifier = find_dynamics(str(folder))
    if isinstance(verifier, Movable):
        verifier.to(cfg.device)
    return verifier


def start_folder(which: str) -> Path:
    """Where the weights are that the adaptation begins with."""
    if which in KINDS:
        return bundled_folder(
            KINDS[which], otherwise="name the folder of a trained one with --from."
        )
    folder = Path(which).expanduser()
    for place in (folder, *(folder / kind for kind in KINDS.values())):
        if (place / CONFIG_NAME).is_file():
            return place
    raise CheckpointError(
        f"--from {which}: is neither a dynamic verifier's name ({', '.join(KINDS)}) nor "
        "a folder with a trained one."
    )


def label_motions(cfg: Cfg, policy: Policy) -> Path:
    """Let the tracker perform the motions that have no labels yet; where labels lie."""
    folder = cfg.out / MOTIONS
    label_trials.run(
        label_trials.Cfg(
            folder=folder,
            tracker=cfg.tracker,
            gains=cfg.gains,
            delay_ms=cfg.delay_ms,
            draws=cfg.draws,
            device=cfg.device,
            workers=cfg.workers,
        )
    )
    return labels_folder(folder, policy.digest)


def fine_tune(
    cfg: Cfg, number: int, start: Path, labels: Path, normalizers: Normalizers
) -> Path:
    """Train the verifier further on so many labels; the folder of its weights."""
    # Here and not above: they load torch.
    from texedo.see.learn.dynamics.cfg import DynamicsTrainCfg
    from texedo.see.learn.dynamics.run import artifact_folder, train_dynamics

    stored = json.loads((start / CONFIG_NAME).read_bytes())
    options = DynamicsTrainCfg(
        data=str(cfg.out / MOTIONS),
        labels=str(labels),
        variant="paper" if stored["kind"] == KINDS["paper"] else "texedo",
        frames=int(stored["model"]["frames"]),
        start=str(start),
        out=str(cfg.out / f"labels-{number:06d}"),
        most=number,
        minutes=0.0 if cfg.steps else cfg.minutes,
        steps=cfg.steps,
        learning_rate=cfg.learning_rate,
        e_acc=normalizers.e_acc,
        e_vel=normalizers.e_vel,
        device="" if cfg.device == "cuda" else cfg.device,
        seed=cfg.seed,
        eval_every=250,
    )
    train_dynamics(options)
    return artifact_folder(options)


def _normalizers(policy: Policy, start: Path) -> Normalizers:
    """The tracker's own, else those that the verifier was measured by."""
    from texedo.see.dynamics.artifact import stored_normalizers

    return policy.normalizers or stored_normalizers(start)


def _request(cfg: Cfg, policy: Policy, start: Path) -> dict[str, Any]:
    """All that the points of the curve depend on, but for the numbers of labels."""
    return {
        "tracker": policy.digest,
        "from": find_dynamics(str(start)).digest,
        "held": cfg.held,
        "draws": cfg.draws,
        "minutes": 0.0 if cfg.steps else cfg.minutes,
        "steps": cfg.steps,
        "learning_rate": cfg.learning_rate,
        "seed": cfg.seed,
    }


def _tell(cfg: Cfg, points: list[Point], record: Record, policy: Policy) -> None:
    enough = {figure: enough_labels(points, figure) for figure in FIGURES}
    record.add(enough=enough)
    if cfg.json:
        print((cfg.out / RECORD).read_text(encoding="utf-8"), end="")
        return
    console = make_console(width=100)
    figures = points[-1].figures
    title = (
        f"{policy.name}: {figures.motions:,} held-out motions, {figures.failures:,} of "
        "them fall"
    )
    console.print(curve_table(points, title=title))
    for sentence in sentences(points):
        console.print(sentence, highlight=False, soft_wrap=True)
    last = cfg.out / f"labels-{points[-1].labels:06d}"
    say_next("score", "motion.npz", "--dynamics", last)
