"""The `texedo` command: a table of names, and a module for each that loads when asked.

A command is a module with a frozen dataclass `Cfg` (its docstring and its fields'
docstrings are the help) and `run(cfg) -> int`. Help of the whole costs no import of any
command, and a command is listed only where its module is there.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import texedo
from texedo.core.errors import TexedoError

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


class Command(NamedTuple):
    """One row of the table."""

    module: str
    group: str
    help: str


COMMANDS: dict[str, Command] = {
    "generate": Command(
        "texedo.apps.generate.command",
        "Start here",
        "from a sentence to a motion that the robot can perform",
    ),
    "demo": Command(
        "texedo.apps.generate.demo",
        "Start here",
        "all of it on one sentence, step by step",
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
        "limits, collisions, floor, skating, jumps; no controller needed",
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
    "train tokenizer": Command(
        "texedo.apps.train.tokenizer", "Generator", "learn the motion codes"
    ),
    "train generator": Command(
        "texedo.apps.train.generator", "Generator", "learn motion from captions"
    ),
    "train tracker": Command(
        "texedo.apps.train.tracker", "Tracker", "train the controller"
    ),
    "rollout": Command(
        "texedo.apps.tracker.rollout", "Tracker", "play a motion through the controller"
    ),
    "label": Command(
        "texedo.apps.tracker.label",
        "Tracker",
        "how well the controller does each motion",
    ),
    "export tracker": Command(
        "texedo.apps.tracker.export", "Tracker", "the controller as an ONNX file"
    ),
}

_INTRO = """\
texedo {version}: from a sentence to a motion that a Unitree G1 can really perform.

usage: texedo COMMAND [OPTIONS]        texedo COMMAND --help says more
"""

_EXAMPLE = """
Example
  texedo generate "a person waves" -n 16 -o wave    the best of 16 candidates
  texedo check wave/motion.npz                      can a G1 do that?
  texedo convert wave/motion.npz wave.csv --to lafan1
  texedo render wave.csv --from lafan1 -o wave.mp4
"""


def available_commands() -> dict[str, Command]:
    """The rows whose module is installed."""
    return {
        name: row
        for name, row in COMMANDS.items()
        if importlib.util.find_spec(row.module) is not None
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 fine, 1 a negative verdict, 2 bad input, 130 interrupted."""
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _dispatch(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # `texedo info * | head` is no error; Python's own flush at exit would fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (TexedoError, OSError) as error:
        if os.environ.get("TEXEDO_DEBUG"):
            raise
        print(f"error: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT


def _dispatch(args: list[str]) -> int:
    commands = available_commands()
    if not args or args[0] in ("-h", "--help", "help"):
        print(help_text(commands))
        return 0
    if args[0] in ("-V", "--version"):
        print(f"texedo {texedo.__version__}")
        return 0
    for words in (2, 1):
        name = " ".join(args[:words])
        if name in commands:
            return _run(name, commands[name], args[words:])
    print(f"error: {_unknown(args, commands)}", file=sys.stderr)
    return EXIT_BAD_INPUT


def _run(name: str, command: Command, args: list[str]) -> int:
    # Here and not above: `texedo --help` does without it.
    import tyro

    module = importlib.import_module(command.module)
    cfg: Any = tyro.cli(
        module.Cfg,
        args=args,
        prog=f"texedo {name}",
        config=(tyro.conf.FlagCreatePairsOff,),
    )
    run: Callable[[Any], int] = module.run
    return run(cfg)


def help_text(commands: dict[str, Command]) -> str:
    """All commands by group, one line each, and a worked example."""
    lines = [_INTRO.format(version=texedo.__version__)]
    width = max(map(len, commands), default=0)
    for group in dict.fromkeys(row.group for row in commands.values()):
        rows = {name: row for name, row in commands.items() if row.group == group}
        lines.append(group)
        lines += [f"  {name:{width}}  {row.help}" for name, row in rows.items()]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n" + _EXAMPLE.rstrip()


def _unknown(args: list[str], commands: dict[str, Command]) -> str:
    """What to say about a command that is not there."""
    seconds = [name for name in commands if name.startswith(f"{args[0]} ")]
    if seconds:
        return f"'texedo {args[0]}' needs a second word: {', '.join(seconds)}."
    if args[0].startswith("-"):
        return f"options come after a command; {args[0]!r} came first. See --help."
    tries = [" ".join(args[:2]), args[0]]
    near = [m for t in tries for m in difflib.get_close_matches(t, commands, n=1)]
    hint = f"Did you mean 'texedo {near[0]}'?" if near else "See texedo --help."
    return f"there is no command {args[0]!r}. {hint}"


if __name__ == "__main__":
    raise SystemExit(main())
