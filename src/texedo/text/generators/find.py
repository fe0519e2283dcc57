"""Generators by name, by folder, and from other packages."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from texedo.core.errors import GenerationError
from texedo.text.generators.diffusion import DiffusionGenerator, diffusion_folder
from texedo.text.generators.folder import FolderGenerator
from texedo.text.generators.kimodo import KimodoGenerator, kimodo_files
from texedo.text.generators.official import NAME as OFFICIAL
from texedo.text.generators.official import official_generator
from texedo.text.generators.ours import OURS, TokenGenerator
from texedo.text.generators.protocol import Generator, MakeGenerator

ENTRY_POINTS = "texedo.generators"
"""The group of entry points in which other packages offer generators."""


GENERATORS: Mapping[str, Callable[[str], Generator]] = MappingProxyType(
    {
        OURS: lambda device: TokenGenerator.shipped(device=device),
        "kimodo": lambda _: KimodoGenerator(),
        OFFICIAL: lambda device: official_generator(device=device),
    }
)
"""Generators that have a name of ours, made for a device."""

_WITH_PATH: Mapping[str, Callable[[Path, str | None, str], Generator]] = (
    MappingProxyType(
        {
            "folder": lambda path, format, _: FolderGenerator(path, format=format),
            "kimodo": lambda path, _, __: kimodo_files(path),
            OFFICIAL: lambda path, _, device: official_generator(path, device=device),
        }
    )
)


def find_generator(
    which: str, *, format: str | None = None, device: str = "auto"
) -> Generator:
    """The generator of that name or in that folder.

    `texedo` (ours), `kimodo`, `official` (the TEXEDO release), `folder:PATH`,
    `kimodo:PATH`, `official:PATH`, a name from the entry points `texedo.generators`, or
    the folder of trained weights, of our kind or of a diffusion model. `format` is that of the files of `folder:PATH`, where
    they do not identify it. `device` is `cpu`, `cuda`, or `auto` for the GPU if there is
    one; generators of others see to theirs themselves.
    """
    if which in GENERATORS:
        return GENERATORS[which](device)
    prefix, colon, path = which.partition(":")
    if colon and prefix in _WITH_PATH:
        return _WITH_PATH[prefix](Path(path).expanduser(), format, device)
    offered = importlib.metadata.entry_points(group=ENTRY_POINTS)
    if which in offered.names:
        make: MakeGenerator = offered[which].load()
        return make()
    if (own := diffusion_folder(Path(which))) is not None:
        return DiffusionGenerator.from_folder(own, device=device)
    if Path(which).is_dir():
        return TokenGenerator.from_folder(Path(which), device=device)
    known = [*GENERATORS, *(f"{name}:PATH" for name in _WITH_PATH), *offered.names]
    raise GenerationError(
        f"{which!r} is neither a generator's name ({', '.join(sorted(known))}) nor a "
        "folder with a trained one. Motion files are named as folder:PATH."
    )
