"""Semantic verifiers by name or folder.

A folder's `config.json` says what kind of verifier it holds, and the kind says who loads
it. A folder may also hold several, one per variant, as the package does:

    FOLDER/semantics         the default variant
    FOLDER/semantics-paper   the paper's

The released one is `official`, or any folder with its files (docs/official.md). Of the
default variant what can be measured is measured beside; `NAME@network` is the network
alone.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from texedo.checkpoints.artifact import CONFIG_NAME
from texedo.checkpoints.bundled import BUNDLED, bundled_folder, has_bundled
from texedo.checkpoints.registry import OFFICIAL
from texedo.core.errors import CheckpointError
from texedo.see.semantics.official.files import released_semantics
from texedo.see.semantics.protocol import SemanticVerifier
from texedo.see.stored import loader, stored_kind

OUR_SEMANTICS = "texedo"
"""The verifier that ships with the package."""
PAPER_SEMANTICS = "paper"
"""The paper's variant of it."""
DEFAULT_VARIANT = "default"
NETWORK = "@network"
"""After a name or folder: the network alone, nothing measured."""


class Variant(NamedTuple):
    """A way to build a semantic verifier."""

    name: str
    """What people call the one that ships."""
    kind: str
    """In its `config.json`, and the name of its folder among several."""


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        DEFAULT_VARIANT: Variant(OUR_SEMANTICS, "semantics"),
        "paper": Variant(PAPER_SEMANTICS, "semantics-paper"),
    }
)
_WHAT = "semantic verifier"
LOADERS: dict[str, str] = {
    "semantics": "texedo.see.semantics.cross.artifact:load_cross_verifier",
    "semantics-paper": "texedo.see.semantics.paper.artefact:load_paper_semantics",
}
"""Who loads a folder of each kind, `module:function`; imported when it is needed."""


def find_semantics(
    which: str | None = None, *, variant: str | None = None
) -> SemanticVerifier:
    """The verifier of that name, or in that folder; nothing said: the one that ships.

    `which` is `texedo`, `paper`, `official` or a folder. Of a folder with several
    `variant` says which; where the choice is made already, it must be the same.
    """
    alone = which is not None and which.endswith(NETWORK)
    if which is not None and alone:
        which = which.removesuffix(NETWORK)
    verifier = _find(which, variant)
    # Here and not above: it knows captions and events, which loading needs not.
    from texedo.see.semantics.measured.verifier import MeasuringVerifier, Network

    if alone or not isinstance(verifier, Network):
        return verifier
    return MeasuringVerifier(verifier)


def _find(which: str | None, variant: str | None) -> SemanticVerifier:
    if variant is not None and variant not in VARIANTS:
        raise CheckpointError(
            f"There is no variant {variant!r}; there are {', '.join(VARIANTS)}."
        )
    named = {row.name: key for key, row in VARIANTS.items()}
    if which is None:
        which = VARIANTS[variant or DEFAULT_VARIANT].name
    if which in named:
        _agree(which, named[which], variant)
        return _shipped(VARIANTS[named[which]])
    if not (Path(which).expanduser() / CONFIG_NAME).is_file():
        released = released_semantics(which)
        if released is not None:
            _agree(which, OFFICIAL, variant)
            return released
    folder = _folder(which, variant or DEFAULT_VARIANT)
    kind = stored_kind(folder, LOADERS, _WHAT)
    own = next((key for key, row in VARIANTS.items() if row.kind == kind), None)
    if own is not None:
        _agree(str(folder), own, variant)
    return _load(kind, folder)


def _folder(which: str, variant: str) -> Path:
    """Where the weights are: in the folder, or in the variant's folder within it."""
    folder = Path(which).expanduser()
    if not folder.is_dir():
        names = ", ".join((*(row.name for row in VARIANTS.values()), OFFICIAL))
        raise CheckpointError(
            f"{which!r} is neither a semantic verifier's name ({names}) nor a folder "
            "with a trained one."
        )
    if (folder / CONFIG_NAME).is_file():
        return folder
    inner = folder / VARIANTS[variant].kind
    if not (inner / CONFIG_NAME).is_file():
        raise CheckpointError(
            f"{folder}: holds no semantic verifier; neither {CONFIG_NAME} nor "
            f"{inner.name}/{CONFIG_NAME} is there."
        )
    return inner


def has_semantics(variant: str = DEFAULT_VARIANT) -> bool:
    """Whether a verifier of this variant came with this installation, and can be read."""
    loader = LOADERS[VARIANTS[variant].kind].partition(":")[0]
    return has_bundled(VARIANTS[variant].kind) and _can_import(loader)


def _shipped(variant: Variant) -> SemanticVerifier:
    bundled_folder(variant.kind, otherwise="name the folder of a trained one.")
    return _load(variant.kind, BUNDLED / variant.kind)


def _agree(which: str, own: str, asked: str | None) -> None:
    if asked is not None and asked != own:
        raise CheckpointError(
            f"{which}: is of the variant {own!r}, not {asked!r}; leave one of them out."
        )


def _load(kind: str, folder: Path) -> SemanticVerifier:
    module = LOADERS[kind].partition(":")[0]
    if not _can_import(module):
        raise CheckpointError(
            f"{folder}: this installation has no code for verifiers of the kind "
            f"{kind!r}; install a later texedo."
        )
    verifier: SemanticVerifier = loader(LOADERS[kind], _WHAT)(folder)
    return verifier


def _can_import(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # A parent that is missing.
        return False
