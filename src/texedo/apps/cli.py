"""The `texedo` command: finds the command's module, reads its options, runs it.

Help of the whole costs no import of any command, and a command is listed only where its
module is there.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import texedo
from texedo.apps.commands import COMMANDS as COMMANDS
from texedo.apps.commands import Command as Command
from texedo.apps.commands import available_commands
from texedo.apps.faults import EXIT_BAD_INPUT as EXIT_BAD_INPUT
from texedo.apps.faults import debugging, fault_text, is_bad_input, print_any_name
from texedo.core.ending import Terminated, ends_by_signal

EXIT_BUG = 70
"""As `EX_SOFTWARE` of sysexits.h: far from the codes that mean something."""
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143

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

_EXIT_CODES = """
Exit codes
  0    fine
  1    done, and the verdict is negative: it fails, it falls
  2    bad input: an option, a file, a missing package
  3    refused: nothing known means what was said; nothing is written
  70   a fault of texedo itself; TEXEDO_DEBUG=1 shows the traceback of any failure
  130  interrupted by Ctrl-C; run the same command again to resume
  143  the same by SIGTERM or a closed terminal
"""

_INTERRUPTED = "run the same command again to resume"
"""Every command leaves whole files only, and keeps what takes long."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code, see `_EXIT_CODES`."""
    args = list(sys.argv[1:] if argv is None else argv)
    print_any_name()
    try:
        with ends_by_signal():
            code = _dispatch(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # `texedo info * | head` is no error; Python's own flush at exit would fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt as error:
        # A line of its own: ^C or a progress bar may stand before it.
        print(f"\ninterrupted; {_way_on(args)}", file=sys.stderr)
        return EXIT_TERMINATED if isinstance(error, Terminated) else EXIT_INTERRUPTED
    except Exception as error:
        if debugging():
            raise
        print(f"error: {fault_text(error)}", file=sys.stderr)
        return EXIT_BAD_INPUT if is_bad_input(error) else EXIT_BUG


def _dispatch(args: list[str]) -> int:
    commands = available_commands()
    if not args or args[0] in ("-h", "--help", "help"):
        print(help_text(commands))
        return 0
    if args[0] in ("-V", "--version"):
        print(f"texedo {texedo.__version__}")
        return 0
    name = _find(args, commands)
    if name is not None:
        return _run(name, commands[name], args[len(name.split()) :])
    family = {n: row for n, row in commands.items() if n.startswith(f"{args[0]} ")}
    if family and args[1:2] and args[1] in ("-h", "--help", "help"):
        print(family_text(args[0], family))
        return 0
    print(f"error: {_unknown(args, commands)}", file=sys.stderr)
    if family and not args[1:]:
        print(f"\n{family_text(args[0], family)}", file=sys.stderr)
    return EXIT_BAD_INPUT


def _find(args: list[str], commands: dict[str, Command]) -> str | None:
    """The command that the first one or two words name."""
    for words in (2, 1):
        name = " ".join(args[:words])
        if name in commands:
            return name
    return None


def _run(name: str, command: Command, args: list[str]) -> int:
    module = importlib.import_module(command.module)
    run: Callable[[Any], int] = module.run
    return run(parse(name, module.Cfg, args))


def parse(name: str, kind: type[Any], args: Sequence[str]) -> Any:
    """The options of a command; prints help or what is wrong, and exits."""
    # Here and not above: `texedo --help` does without it.
    import tyro

    return tyro.cli(
        kind,
        args=args,
        prog=f"texedo {name}",
        # A switch has one spelling, and an option that is left out is left out: nobody
        # types None.
        config=(tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone),
    )


def _way_on(args: list[str]) -> str:
    """How to go on after Ctrl-C."""
    name = _find(args, COMMANDS)
    module = sys.modules.get(COMMANDS[name].module) if name else None
    return str(getattr(module, "INTERRUPTED", _INTERRUPTED))


def help_text(commands: dict[str, Command]) -> str:
    """All commands by group, one line each, a worked example and the exit codes."""
    lines = [_INTRO.format(version=texedo.__version__)]
    width = max(map(len, commands), default=0)
    for group in dict.fromkeys(row.group for row in commands.values()):
        rows = {name: row for name, row in commands.items() if row.group == group}
        lines.append(group)
        lines += [f"  {name:{width}}  {row.help}" for name, row in rows.items()]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n" + _EXAMPLE + _EXIT_CODES.rstrip()


def family_text(first: str, family: dict[str, Command]) -> str:
    """The commands that begin with one word, one line each."""
    width = max(map(len, family))
    usage = f"usage: texedo {first} COMMAND [OPTIONS]"
    lines = [f"{usage}        texedo {first} COMMAND --help says more", ""]
    lines += [f"  texedo {name:{width}}  {row.help}" for name, row in family.items()]
    return "\n".join(lines)


def _unknown(args: list[str], commands: dict[str, Command]) -> str:
    """What to say about a command that is not there."""
    if args[0].startswith("-"):
        return f"options come after a command; {args[0]!r} came first. See --help."
    seconds = [name for name in commands if name.startswith(f"{args[0]} ")]
    if seconds and not args[1:]:
        return f"'texedo {args[0]}' needs a second word."
    tries = [" ".join(args[:2]), args[0]]
    near = [m for t in tries for m in difflib.get_close_matches(t, commands, n=1)]
    more = f"See texedo {args[0]} --help." if seconds else "See texedo --help."
    hint = f"Did you mean 'texedo {near[0]}'?" if near else more
    return (
        f"there is no command {' '.join(args[:2] if seconds else args[:1])!r}. {hint}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
