"""The table of commands: a name, the module that does it, and one line of help.

A command is a module with a frozen dataclass `Cfg` (its docstring and its fields'
docstrings are the help) and `run(cfg) -> int`. It may also have `INTERRUPTED`, what to
say after Ctrl-C where running the same command again is not the way to go on.
"""

from __future__ import annotations

import importlib.util
from typing import NamedTuple


class Command(NamedTuple):
    """One row of the table."""

    module: str
    group: str
    help: str


_EVALUATE = "How good it is"

COMMANDS: dict[str, Command] = {
    "generate": Command(
        "texedo.apps.generate.command",
        "Start here",
        "from a sentence to a motion that the robot can perform",
    ),
    "select": Command(
        "texedo.apps.generate.select",
        "Start here",
        "which of somebody's motions does what a sentence says",
    ),
    "demo": Command(
        "texedo.apps.generate.demo",
        "Start here",
        "all of it on one sentence, step by step",
    ),
    "export": Command(
        "texedo.apps.robot.export",
        "To the robot",
        "a motion as a file for a robot's controller, checked first",
    ),
    "stream": Command(
        "texedo.apps.robot.stream",
        "To the robot",
        "a motion to SONIC over the network, frame by frame",
    ),
    "info": Command(
        "texedo.apps.files.info",
        "Motion files",
        "what is in a file, and in which layout",
    ),
    "convert": Command(
        "texedo.apps.files.convert", "Motion files", "from any layout to any other"
    ),
    "render": Command(
        "texedo.apps.files.render", "Motion files", "a video, a gif or a contact sheet"
    ),
    "check": Command(
        "texedo.apps.files.check",
        "Motion files",
        "limits, collisions, floor, skating, jumps; no physics",
    ),
    "fix": Command(
        "texedo.apps.files.fix",
        "Motion files",
        "repaired: floor, limits, overlap, jumps, sliding feet",
    ),
    "score": Command(
        "texedo.apps.files.score",
        "Motion files",
        "will the robot manage it? does it do what a sentence says?",
    ),
    "models": Command(
        "texedo.apps.models.listing",
        "Weights",
        "what is installed: licence, size, hash, measured quality",
    ),
    "models fetch": Command(
        "texedo.apps.models.fetch",
        "Weights",
        "download the released TEXEDO weights",
    ),
    "retarget": Command(
        "texedo.apps.files.retarget", "Data", "motion capture (BVH) to the robot"
    ),
    "data build": Command(
        "texedo.apps.data.build", "Data", "the corpus, from capture to captions"
    ),
    "data report": Command(
        "texedo.apps.data.report", "Data", "what a corpus holds, on one page"
    ),
    "data export": Command(
        "texedo.apps.data.export", "Data", "a corpus as a TEXEDO dataset folder"
    ),
    "data import": Command(
        "texedo.apps.data.import_", "Data", "a TEXEDO dataset folder as a corpus"
    ),
    "data sample": Command(
        "texedo.apps.data.sample", "Data", "a few dozen clips in a small file"
    ),
    "data pack": Command(
        "texedo.apps.data.pack",
        "Data",
        "clips packed for training",
    ),
    "data tokens": Command(
        "texedo.apps.data.tokens", "Data", "a corpus as motion tokens and captions"
    ),
    "data draw": Command(
        "texedo.apps.data.draw",
        "Data",
        "candidates for many captions, told what they do",
    ),
    "data trials": Command(
        "texedo.apps.data.trials",
        "Data",
        "motions for the controller to try, from easy to hopeless",
    ),
    "data label-trials": Command(
        "texedo.apps.data.label_trials",
        "Data",
        "motions to try, tried by the controller on many robots",
    ),
    "data words": Command(
        "texedo.apps.data.words", "Data", "the words of the training captions"
    ),
    "train tokenizer": Command(
        "texedo.apps.train.tokenizer", "Generator", "train the motion tokenizer"
    ),
    "train generator": Command(
        "texedo.apps.train.generator", "Generator", "train the motion language model"
    ),
    "train diffusion": Command(
        "texedo.apps.train.diffusion",
        "Generator",
        "train a generator of another kind, to test verifiers with",
    ),
    "export text-encoder": Command(
        "texedo.apps.train.text_encoder", "Generator", "compress a sentence encoder"
    ),
    "train semantics": Command(
        "texedo.apps.train.semantics",
        "Verifiers",
        "train what tells whether a motion fits a sentence",
    ),
    "train dynamics": Command(
        "texedo.apps.train.dynamics",
        "Verifiers",
        "train what tells whether the robot will manage a motion",
    ),
    "train refusal": Command(
        "texedo.apps.train.refusal",
        "Verifiers",
        "fit what says that nothing known was asked for",
    ),
    "adapt": Command(
        "texedo.apps.adapt.command",
        "Verifiers",
        "teach the dynamic verifier another tracker",
    ),
    "train tracker": Command(
        "texedo.apps.train.tracker", "Tracker", "train the controller"
    ),
    "rollout": Command(
        "texedo.apps.tracker.rollout",
        "Tracker",
        "perform a motion with the controller in physics",
    ),
    "label": Command(
        "texedo.apps.tracker.label",
        "Tracker",
        "oracle labels: how well the controller performs each motion",
    ),
    "tracker hard": Command(
        "texedo.apps.tracker.hard", "Tracker", "the clips that the controller fails at"
    ),
    "export tracker": Command(
        "texedo.apps.tracker.export", "Tracker", "the controller as an ONNX file"
    ),
    "evaluate tracker": Command(
        "texedo.apps.evaluate.tracker",
        _EVALUATE,
        "success, errors and Q* on captured test clips",
    ),
    "evaluate tokenizer": Command(
        "texedo.apps.evaluate.tokenizer", _EVALUATE, "what a motion loses in its codes"
    ),
    "evaluate reconstruction": Command(
        "texedo.apps.evaluate.reconstruction",
        _EVALUATE,
        "whether the controller performs what codes decode to",
    ),
    "evaluate rate-distortion": Command(
        "texedo.apps.evaluate.rate_distortion", _EVALUATE, "codes of several sizes"
    ),
    "evaluate likelihood": Command(
        "texedo.apps.evaluate.likelihood", _EVALUATE, "perplexity on held-out captions"
    ),
    "train embedding": Command(
        "texedo.apps.train.embedding",
        _EVALUATE,
        "the space in which sentences and motions are compared",
    ),
    "evaluate truth": Command(
        "texedo.apps.evaluate.truth",
        _EVALUATE,
        "R-precision of the captured motions themselves",
    ),
    "evaluate generator": Command(
        "texedo.apps.evaluate.generator",
        _EVALUATE,
        "R-precision, FID and success of single samples",
    ),
    "evaluate words": Command(
        "texedo.apps.evaluate.words", _EVALUATE, "left or right, forward or backward"
    ),
    "evaluate understanding": Command(
        "texedo.apps.evaluate.understanding",
        _EVALUATE,
        "does a motion do what the prompt asks? by rules",
    ),
    "evaluate semantics": Command(
        "texedo.apps.evaluate.semantics",
        _EVALUATE,
        "does the semantic verifier know true captions?",
    ),
    "calibrate": Command(
        "texedo.apps.train.calibrate",
        "Verifiers",
        "the threshold that keeps a promise about failures",
    ),
    "evaluate dynamics": Command(
        "texedo.apps.evaluate.dynamics",
        _EVALUATE,
        "does the dynamic verifier know what the robot will manage?",
    ),
    "evaluate refusal": Command(
        "texedo.apps.evaluate.refusal",
        _EVALUATE,
        "are sentences refused that nothing is known of?",
    ),
    "evaluate diversity": Command(
        "texedo.apps.evaluate.diversity", _EVALUATE, "how different candidates are"
    ),
    "evaluate prompts": Command(
        "texedo.apps.evaluate.prompts", _EVALUATE, "the paper's thirty prompts"
    ),
    "judge score": Command(
        "texedo.apps.judge.score", _EVALUATE, "does a motion do what a prompt says"
    ),
    "judge sheet": Command(
        "texedo.apps.judge.sheet", _EVALUATE, "a blind page of pairs for people"
    ),
    "judge answers": Command(
        "texedo.apps.judge.answers", _EVALUATE, "what people chose on it"
    ),
    "evaluate judge": Command(
        "texedo.apps.judge.evaluate", _EVALUATE, "does the kinematic judge judge well"
    ),
    "evaluate best-of-n": Command(
        "texedo.apps.suites.best_of_n",
        _EVALUATE,
        "what choosing from N candidates is worth, N = 1 to 32",
    ),
    "evaluate selection": Command(
        "texedo.apps.suites.selection",
        _EVALUATE,
        "the main table: one sample, either verifier, both",
    ),
    "evaluate ood": Command(
        "texedo.apps.suites.ood",
        _EVALUATE,
        "the same on words that no training caption has",
    ),
    "evaluate unseen-generator": Command(
        "texedo.apps.suites.unseen_generator",
        _EVALUATE,
        "the same with a generator that the verifiers never saw",
    ),
    "evaluate robot-prompts": Command(
        "texedo.apps.suites.robot_prompts",
        _EVALUATE,
        "errors on the thirty prompts, beside the real robot's",
    ),
    "evaluate latency": Command(
        "texedo.apps.suites.latency", _EVALUATE, "how long each step takes"
    ),
    "evaluate scale": Command(
        "texedo.apps.suites.scale",
        _EVALUATE,
        "time and memory for many candidates and prompts",
    ),
    "evaluate all": Command(
        "texedo.apps.suites.all_",
        _EVALUATE,
        "all suites that can be run, on one page",
    ),
    "evaluate cases": Command(
        "texedo.apps.suites.cases",
        _EVALUATE,
        "what tells the ways to choose apart, as a picture",
    ),
    "evaluate captions": Command(
        "texedo.apps.evaluate.captions", _EVALUATE, "captions against descriptions"
    ),
}


def available_commands() -> dict[str, Command]:
    """The rows whose module is installed."""
    return {
        name: row
        for name, row in COMMANDS.items()
        if importlib.util.find_spec(row.module) is not None
    }
