"""A folder with a page that shows pairs of short videos, for people to choose from.

    FOLDER/index.html     the page: a request, two videos, A, B or no difference
    FOLDER/videos/        one file for each shown motion, named by a hash
    FOLDER/key.json       which motion was whose; stays with whoever runs the study

Nothing on the page tells who made a motion: names are hashes, sides and order are drawn
by the seed. Answers stay in the reader's browser until they are saved to a file.
"""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np

from texedo.core.errors import TexedoError
from texedo.core.files import write_whole
from texedo.motion import Motion
from texedo.robot.render.film import render_motion

FORMAT = 1
KEY_FILE = "key.json"
Film = Callable[[Motion, Path], None]
Progress = Callable[[int, int], None]


class Pair(NamedTuple):
    """One request, done by two."""

    prompt: str
    first: Motion
    second: Motion


def film(motion: Motion, path: Path) -> None:
    """A short video, as browsers show it."""
    render_motion(motion, path, size=(480, 360), fps=25)


def write_sheet(
    folder: Path,
    pairs: Sequence[Pair],
    *,
    names: tuple[str, str],
    seed: int = 0,
    suffix: str = ".mp4",
    draw: Film = film,
    progress: Progress = lambda done, total: None,
) -> Path:
    """The page of a study; a video that is there already is not drawn again."""
    if not pairs:
        raise TexedoError("a sheet needs at least one pair of motions.")
    if names[0] == names[1]:
        raise TexedoError(f"both sides are called {names[0]!r}; give them two names.")
    (folder / "videos").mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    rows, key = [], []
    for done, number in enumerate(rng.permutation(len(pairs)).tolist(), 1):
        pair = pairs[number]
        swapped = bool(rng.integers(2))
        shown = (pair.second, pair.first) if swapped else (pair.first, pair.second)
        files = [_filmed(folder, motion, seed, suffix, draw) for motion in shown]
        ident = hashlib.sha256(f"{seed} {number} {pair.prompt}".encode()).hexdigest()[
            :12
        ]
        rows.append({"id": ident, "prompt": pair.prompt, "a": files[0], "b": files[1]})
        sides = names[::-1] if swapped else names
        key.append({"id": ident, "prompt": pair.prompt, "a": sides[0], "b": sides[1]})
        progress(done, len(pairs))
    study = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]
    record = {"format": FORMAT, "study": study, "names": list(names), "pairs": key}
    write_whole(folder / KEY_FILE, (json.dumps(record, indent=1) + "\n").encode())
    page = folder / "index.html"
    write_whole(page, _page(study, rows, suffix).encode())
    return page


def _filmed(folder: Path, motion: Motion, seed: int, suffix: str, draw: Film) -> str:
    """The video of a motion, as the page names it."""
    name = f"videos/{_digest(motion, seed)}{suffix}"
    if not (folder / name).exists():
        draw(motion, folder / name)
    return name


def _page(study: str, rows: list[dict[str, str]], suffix: str) -> str:
    template = resources.files(__package__).joinpath("sheet.html").read_text("utf-8")
    # Inside a script element only the closing tag can end it.
    data = json.dumps({"study": study, "pairs": rows}).replace("<", "\\u003c")
    return template.replace("__DATA__", data).replace("__SUFFIX__", html.escape(suffix))


def _digest(motion: Motion, seed: int) -> str:
    qpos = motion.to_qpos().astype("<f4").tobytes()
    return hashlib.sha256(str(seed).encode() + qpos).hexdigest()[:20]
