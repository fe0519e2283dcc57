"""Train the tracker: one policy for a whole corpus, on one GPU, within a set time.

    python -m texedo.tracker.learn.train --clips clips.npz --out run --minutes 24

In: a packed clip file (`data.corpus.clip_file`). Out: `tracker/` (the policy as it ships),
`state-*.safetensors` (everything needed to go on), `log.jsonl`, `report.json`. A run is
cut into segments that begin at every save: the random numbers are reseeded by (seed,
iteration) and every robot is placed anew, so that a resumed run is the run itself.

Physics and learning take turns: `horizon` steps of all worlds, then PPO on them. Needs
numpy, torch, safetensors, mujoco and, on a GPU, mujoco-warp, and nothing of the command
line.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from texedo.core.errors import TexedoError
from texedo.data.corpus.clip_file import clips_from
from texedo.data.corpus.packed_clips import PackedClips
from texedo.learning.clock import Clock
from texedo.learning.run import PROCESS_START, RunLog, run_command
from texedo.tracker.learn.cfg import TrainCfg
from texedo.tracker.learn.env import EnvCfg, TrackingEnv
from texedo.tracker.learn.ppo import Batch, Learner, PPOCfg, gaussian_log_prob
from texedo.tracker.learn.report import Evaluator, summary
from texedo.tracker.learn.start_sampling import StartSampler
from texedo.tracker.learn.state import load_state, save_state
from texedo.tracker.policies.actor import save_tracker
from texedo.tracker.policies.spec import TrackerSpec
from texedo.tracker.sim.controlled import ClosedLoop
from texedo.tracker.sim.protocol import make_sim, prepare
from texedo.tracker.sim.reference_library import ReferenceLibrary

INTERRUPTED = "--resume OUT goes on from the last save, see --save_every"
"""Said after Ctrl-C."""
_WARM_UP = 40
"""Restarts from which the normalisers get their first estimate."""


class Run(NamedTuple):
    """All the parts of a training run."""

    env: TrackingEnv
    learner: Learner
    sampler: StartSampler
    evaluator: Evaluator


class Collected(NamedTuple):
    batch: Batch
    last_value: Tensor
    stats: Tensor
    """Means of reward, failures, cuts, breakdowns and body error over the batch, (5,)."""


def train(cfg: TrainCfg) -> dict[str, Any]:
    """Run, save, evaluate; returns the final summary."""
    out = Path(cfg.out)
    log = RunLog(out)
    run = build(cfg)
    iteration = 0
    if cfg.resume:
        iteration = int(
            load_state(Path(cfg.resume), run.learner, run.sampler)["iteration"]
        )
    log.write("setup", **describe(cfg, run), iteration=iteration)
    if not cfg.resume:
        begin_segment(run, cfg, iteration)
        warm_up(run)
    clock = Clock(minutes=cfg.minutes, wall=cfg.wall, iterations=cfg.iterations)
    fresh, settled = True, False
    while not clock.over(iteration):
        if not settled and clock.left(cfg.settle):
            settled = True
            run.learner.settle()
            log.write("settle", iteration=iteration)
        if fresh:
            begin_segment(run, cfg, iteration)
            fresh = False
        started = time.monotonic()
        collected = collect(run.env, run.learner, cfg.horizon)
        sampled = _now(run.env)
        update = run.learner.update(collected.batch, collected.last_value)
        run.sampler.refresh()
        iteration += 1
        run.env.strength = strength_at(iteration, cfg.ramp)
        if iteration % cfg.randomize_every == 0:
            run.env.randomize()
        clock.tick(sampled - started, _now(run.env) - sampled)
        if not update.finite:
            log.write("not finite", iteration=iteration)
            if list(out.glob("state-*.safetensors")):
                load_state(out, run.learner, run.sampler)
            run.learner.learning_rate = 1e-4
            fresh = True
        elif iteration <= 5 or iteration % 25 == 0:
            log.write(
                "train",
                iteration=iteration,
                **progress(cfg, run, collected, clock),
                **update._asdict(),
            )
        if iteration % cfg.save_every == 0 and update.finite:
            save(out, run, iteration)
            fresh = True
        if iteration % cfg.eval_every == 0 and not clock.over(iteration):
            with clock.evaluating():
                table = run.evaluator.evaluate(run.learner.mean_actor, cfg.eval_clips)
            log.write("eval", iteration=iteration, **summary(table))
    save(out, run, iteration)
    with clock.evaluating():
        report = run.evaluator.report(
            run.learner.mean_actor, seconds=clock.left_for_report()
        )
    (out / "report.json").write_text(json.dumps(report, indent=1))
    save_policy(out, run, iteration, report["summary"])
    log.write("final", iteration=iteration, **report["summary"])
    return dict(report["summary"])


def build(cfg: TrainCfg) -> Run:
    """Clips to the device, worlds, networks."""
    device = cfg.device or ("cuda:0" if torch.cuda.is_available() else "cpu")
    prepare(device)
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(cfg.seed)
    clips = clips_from(cfg.clips)
    held_out = clips.pick(clips.select(split=cfg.eval_split))
    learned = clips.pick(clips.select(split=cfg.train_split))
    if cfg.families:
        learned = _of_families(learned, cfg)
    if not len(learned) or not len(held_out):
        raise TexedoError(
            f"{cfg.clips}: needs clips of the splits {cfg.train_split!r} and "
            f"{cfg.eval_split!r}; it has {sorted(set(clips.splits))}."
        )
    library = _library(learned.with_mirrored() if cfg.mirror else learned, device)
    spec = TrackerSpec(hidden_sizes=tuple(int(n) for n in cfg.hidden.split(",")))
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
    return Run(env, learner, sampler, evaluator)


def _of_families(clips: PackedClips, cfg: TrainCfg) -> PackedClips:
    wanted, known = cfg.families.split(","), sorted(set(clips.families))
    unknown = [family for family in wanted if family not in known]
    if unknown:
        raise TexedoError(
            f"{cfg.clips}: no {unknown[0]!r} to learn from; --families takes some of "
            f"{', '.join(known)}."
        )
    return clips.pick(clips.select(family=wanted))


def begin_segment(run: Run, cfg: TrainCfg, iteration: int) -> None:
    """A state that depends on seed and iteration alone."""
    torch.manual_seed(cfg.seed * 1_000_003 + iteration)
    run.env.strength = strength_at(iteration, cfg.ramp)
    run.env.randomize()
    run.env.restart()


def warm_up(run: Run) -> None:
    """First estimates for the normalisers, from restarts all over the corpus."""
    for _ in range(_WARM_UP):
        run.env.restart()
        run.learner.observe(*run.env.observe())


def strength_at(iteration: int, ramp: int) -> float:
    """Strength of disturbances: calm at first, full after `ramp` iterations."""
    return min(1.0, max(0.05, iteration / max(ramp, 1)))


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


def save(out: Path, run: Run, iteration: int) -> None:
    """State and policy, each written so that a crash leaves the last one whole."""
    save_state(out, run.learner, run.sampler, values={"iteration": iteration})
    save_policy(out, run, iteration, {})


def save_policy(out: Path, run: Run, iteration: int, results: dict[str, Any]) -> None:
    metadata = {"iteration": iteration, "evaluation": results}
    save_tracker(out / "tracker", run.learner.mean_actor, metadata=metadata)


def describe(cfg: TrainCfg, run: Run) -> dict[str, Any]:
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
    cfg: TrainCfg, run: Run, collected: Collected, clock: Clock
) -> dict[str, Any]:
    reward, failed, cut, broken, error = collected.stats.tolist()
    sim = run.env.loop.sim
    steps = cfg.horizon * cfg.worlds
    return {
        "steps_per_s": steps / (clock.sample_seconds + clock.learn_seconds),
        "sample_s": clock.sample_seconds,
        "learn_s": clock.learn_seconds,
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


def main(arguments: list[str]) -> int:
    """`--key value` for every field of `TrainCfg`."""
    return run_command(
        TrainCfg,
        train,
        arguments,
        interrupted=INTERRUPTED,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
