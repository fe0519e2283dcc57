"""Train the tracker: one policy for a whole corpus, on one GPU, within a set time.

    texedo train tracker --clips clips.npz -o run --minutes 24

In: a packed clip file (`data.corpus.clip_file`). Out: `tracker/` (the policy as it ships),
`state-*.safetensors` (everything needed to go on), `log.jsonl`, `report.json`. A run is
cut into segments that begin at every save: the random numbers are reseeded by (seed,
step) and every robot is placed anew, so that a resumed run is the run itself.

Physics and learning take turns: `horizon` steps of all worlds, then PPO on them. Needs
numpy, torch, safetensors, mujoco and, on a GPU, mujoco-warp, and nothing of the command
line.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.data.corpus.clip_file import clips_from
from texedo.data.corpus.packed_clips import PackedClips
from texedo.data.synth.wrists import move_wrists
from texedo.learning.clock import PROCESS_START, Clock
from texedo.learning.run import RunFolder, clips_digest
from texedo.learning.state import has_state
from texedo.robot.g1 import WRIST_JOINTS
from texedo.tracker.learn.cfg import TrackerTrainCfg
from texedo.tracker.learn.env import EnvCfg, TrackingEnv
from texedo.tracker.learn.ppo import Batch, Learner, PPOCfg, gaussian_log_prob
from texedo.tracker.learn.report import Evaluator, summary
from texedo.tracker.learn.start_sampling import StartSampler
from texedo.tracker.learn.state import pack_run, restore_run
from texedo.tracker.policies.actor import load_tracker, save_tracker
from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.protocol import make_sim, prepare
from texedo.tracker.sim.reference_library import ReferenceLibrary

_REPORT_SECONDS = 60.0
"""Kept before the wall for the final evaluation before one has been timed."""
_REPORT_IS = 3.0
"""It takes this many times as long as one during training: all clips, and perturbed."""
_WARM_UP = 40
"""Restarts from which the normalisers get their first estimate."""


class Run(NamedTuple):
    """All the parts of a training run."""

    env: TrackingEnv
    learner: Learner
    sampler: StartSampler
    evaluator: Evaluator
    digest: str
    """Names the clips that are learnt from."""


class Pace(NamedTuple):
    """How long the two halves of a step took [s]."""

    sample: float = 0.0
    learn: float = 0.0


class Collected(NamedTuple):
    batch: Batch
    last_value: Tensor
    stats: Tensor
    """Means of reward, failures, cuts, breakdowns and body error over the batch, (5,)."""


def train(cfg: TrackerTrainCfg) -> dict[str, Any]:
    """Run, save, evaluate; returns the final summary."""
    run = build(cfg)  # Before anything is written: a wrong --clips leaves no folder.
    folder = RunFolder(cfg, data=run.digest)
    log, saved = folder.log, folder.earlier()
    step, seconds = 0, 0.0
    if saved is not None:
        restore_run(run.learner, run.sampler, saved)
        step, seconds = saved.step, saved.seconds
    log.write("setup", **describe(cfg, run), step=step)
    if saved is None:
        begin_segment(run, cfg, step)
        warm_up(run)
        if cfg.start:
            run.learner.start_from(load_tracker(cfg.start)[0])
    fresh, settled, pace = True, False, Pace()

    def save() -> None:
        """State and policy, each written so that a crash leaves the last one whole."""
        values = {"learning_rate": run.learner.learning_rate}
        tensors = pack_run(run.learner, run.sampler)
        folder.save(tensors, step=step, seconds=clock.seconds, **values)
        save_policy(folder.path, run, step, {})

    with Clock(cfg, seconds=seconds, report_seconds=_REPORT_SECONDS) as clock:
        while not clock.over(step):
            if not settled and clock.fraction(step) >= 1.0 - cfg.settle:
                settled = True
                run.learner.settle()
                log.write("settle", step=step)
            if fresh:
                begin_segment(run, cfg, step)
                fresh = False
            run.learner.critic_only = step < cfg.critic_first
            started = time.monotonic()
            collected = collect(run.env, run.learner, cfg.horizon)
            sampled = _now(run.env)
            update = run.learner.update(collected.batch, collected.last_value)
            run.sampler.refresh()
            step += 1
            run.env.strength = strength_at(step, cfg.ramp)
            if step % cfg.randomize_every == 0:
                run.env.randomize()
            pace = Pace(sampled - started, _now(run.env) - sampled)
            if not update.finite:
                log.write("not finite", step=step)
                if has_state(folder.path):
                    last = folder.load(folder.path)
                    restore_run(run.learner, run.sampler, last)
                run.learner.learning_rate = 1e-4
                fresh = True
            elif step <= 5 or step % 25 == 0:
                about = progress(cfg, run, collected, pace)
                log.write("train", step=step, **about, **update._asdict())
            if step % cfg.save_every == 0 and update.finite:
                save()
                fresh = True
            if step % cfg.eval_every == 0 and not clock.over(step):
                with clock.evaluating(report_is=_REPORT_IS):
                    table = run.evaluator.evaluate(
                        run.learner.mean_actor, cfg.eval_clips
                    )
                log.write("eval", step=step, **summary(table))
        save()
    report = run.evaluator.report(
        run.learner.mean_actor, seconds=clock.left_for_report()
    )
    (folder.path / "report.json").write_text(json.dumps(report, indent=1))
    save_policy(folder.path, run, step, report["summary"])
    log.write("final", step=step, **report["summary"])
    return dict(report["summary"])


def build(cfg: TrackerTrainCfg) -> Run:
    """Clips to the device, worlds, networks."""
    device = cfg.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
    prepare(device)
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(cfg.seed)
    learned, held_out = _split(clips_from(cfg.clips), cfg)
    library = _library(learned.with_mirrored() if cfg.mirror else learned, device)
    spec = TrackerSpec(
        hidden_sizes=tuple(int(n) for n in cfg.hidden.split(",")),
        # A network that never saw a wrist move is not shown one.
        held_joints=() if cfg.wrists else WRIST_JOINTS,
    )
    ppo = PPOCfg(
        learning_rate=cfg.learning_rate,
        epochs=cfg.epochs,
        target_kl=cfg.target_kl,
        entropy=cfg.entropy,
        initial_std=cfg.initial_std,
    )
    learner = Learner(spec, ppo).to(device)
    learner.make_optimizer()
    sampler = StartSampler(library)
    sim = make_sim(cfg.worlds, device=device, contacts=cfg.contacts)
    env = TrackingEnv(ClosedLoop(sim, library, spec), sampler, EnvCfg())
    # The oracle has all contact shapes, whatever training does.
    worlds = min(cfg.eval_worlds, len(held_out))
    oracle = make_sim(worlds, device=device, contacts="full")
    loop = ClosedLoop(oracle, _library(held_out, device), spec)
    evaluator = Evaluator(loop, held_out, max_steps=cfg.max_steps or None)
    digest = clips_digest(learned.ids, learned.lengths)
    return Run(env, learner, sampler, evaluator, digest)


def _split(clips: PackedClips, cfg: TrackerTrainCfg) -> tuple[PackedClips, PackedClips]:
    """Clips to learn from, and clips to evaluate on."""
    held_out = clips.pick(clips.select(split=cfg.eval_split))
    learned = clips.pick(clips.select(split=cfg.train_split))
    if cfg.families:
        learned = _of_families(learned, cfg)
    if cfg.wrists:
        learned = move_wrists(learned, share=cfg.wrists, seed=cfg.seed)
    if not len(learned) or not len(held_out):
        raise TexedoError(
            f"{cfg.clips}: needs clips of the splits {cfg.train_split!r} and "
            f"{cfg.eval_split!r}; it has {sorted(set(clips.splits))}."
        )
    return learned, held_out


def _of_families(clips: PackedClips, cfg: TrackerTrainCfg) -> PackedClips:
    wanted, known = cfg.families.split(","), sorted(set(clips.families))
    unknown = [family for family in wanted if family not in known]
    if unknown:
        raise TexedoError(
            f"{cfg.clips}: no {unknown[0]!r} to learn from; --families takes some of "
            f"{', '.join(known)}."
        )
    return clips.pick(clips.select(family=wanted))


def begin_segment(run: Run, cfg: TrackerTrainCfg, step: int) -> None:
    """A state that depends on seed and step alone."""
    torch.manual_seed(cfg.seed * 1_000_003 + step)
    run.env.strength = strength_at(step, cfg.ramp)
    run.env.randomize()
    run.env.restart()


def warm_up(run: Run) -> None:
    """First estimates for the normalisers, from restarts all over the corpus."""
    for _ in range(_WARM_UP):
        run.env.restart()
        run.learner.observe(*run.env.observe())


def strength_at(step: int, ramp: int) -> float:
    """Strength of disturbances: calm at first, full after `ramp` steps."""
    return min(1.0, max(0.05, step / max(ramp, 1)))


@torch.no_grad()
def collect(env: TrackingEnv, learner: Learner, horizon: int) -> Collected:
    """`horizon` steps of all worlds with the current policy."""
    rows: list[tuple[Tensor, ...]] = []
    std, gamma = learner.std(), learner.cfg.gamma
    stats = torch.zeros(5, device=std.device)
    for _ in range(horizon):
        actor_obs, critic_obs = env.observe()
        mean, value = learner.mean(actor_obs), learner.value(critic_obs)
        action = mean + std * torch.randn_like(mean)
        step = env.step(action)
        # A cut episode would have gone on about as well as it stood. (The value of its
        # last state is unknown to the critic: nobody ever acts from a clip's last frame.)
        reward = step.reward + gamma * value * step.cut
        log_prob = gaussian_log_prob(action, mean, std)
        done = (step.failed | step.cut).float()
        rows.append(
            (actor_obs, critic_obs, action, mean, log_prob, value, reward, done)
        )
        stats += torch.stack(
            (
                step.reward.mean(),
                step.failed.float().mean(),
                step.cut.float().mean(),
                step.broken.float().mean(),
                step.body_error.mean(),
            )
        )
    last_value = learner.value(env.observe_critic())
    batch = Batch(*(torch.stack(column) for column in zip(*rows, strict=True)))
    return Collected(batch, last_value, stats / horizon)


def save_policy(out: Path, run: Run, step: int, results: dict[str, Any]) -> None:
    metadata = {"step": step, "evaluation": results}
    save_tracker(out / "tracker", run.learner.mean_actor, metadata=metadata)


def describe(cfg: TrackerTrainCfg, run: Run) -> dict[str, Any]:
    library = run.env.loop.library
    spec = run.learner.actor.spec
    return {
        "config": asdict(cfg),
        "clips": library.num_clips,
        "frames": library.num_frames,
        "actor_obs": spec.actor_obs_size,
        "critic_obs": spec.critic_obs_size,
        "parameters": sum(p.numel() for p in run.learner.parameters()),
        "seconds": round(time.monotonic() - PROCESS_START, 1),
    }


def progress(
    cfg: TrackerTrainCfg, run: Run, collected: Collected, pace: Pace
) -> dict[str, Any]:
    reward, failed, cut, broken, error = collected.stats.tolist()
    sim = run.env.loop.sim
    steps = cfg.horizon * cfg.worlds
    return {
        "steps_per_s": steps / max(pace.sample + pace.learn, 1e-9),
        "sample_s": pace.sample,
        "learn_s": pace.learn,
        "reward": reward * 50,
        "failures": failed,
        "episode": 1.0 / max(failed + cut, 1e-6),
        "broken": broken * steps,
        "body_mm": 1000 * error,
        "std": float(run.learner.std().detach().mean()),
        "learning_rate": run.learner.learning_rate,
        "strength": run.env.strength,
        "rows": int(sim.constraint_rows.max()),
        "overflow": int(sim.overflow.max()),
    }


def _library(clips: PackedClips, device: str) -> ReferenceLibrary:
    return ReferenceLibrary.build(
        clips.qpos, clips.starts, clips.lengths, device=device
    )


def _now(env: TrackingEnv) -> float:
    """The time when all queued work is done."""
    if env.loop.sim.device.type == "cuda":
        torch.cuda.synchronize()
    return time.monotonic()
