"""Dynamic verifiers by name or folder.

A folder's `config.json` says what kind of verifier it holds, and the kind says who loads
it. A folder may also hold several, one per variant, as the package does:

    FOLDER/dynamics         ours, the default
    FOLDER/dynamics-paper   the paper's

The released one is `official`, or any folder with its files (docs/official.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from texedo.checkpoints.artifact import CONFIG_NAME
from texedo.checkpoints.bundled import BUNDLED, bundled_folder, has_bundled
from texedo.checkpoints.registry import OFFICIAL
from texedo.core.errors import CheckpointError
from texedo.see.dynamics.official.files import released_dynamics
from texedo.see.dynamics.protocol import DynamicsVerifier
from texedo.see.stored import loader, stored_kind

DEFAULT_DYNAMICS = "texedo"
KINDS: Mapping[str, str] = MappingProxyType(
    {DEFAULT_DYNAMICS: "dynamics", "paper": "dynamics-paper"}
)
"""By variant: the kind in a `config.json`, and the name of its folder among several."""
_WHAT = "dynamic verifier"
LOADERS: dict[str, str] = {
    "dynamics": "texedo.see.dynamics.artifact:load_hazard",
    "dynamics-paper": "texedo.see.dynamics.artifact:load_paper",
}
"""Who loads a folder of each kind, `module:function`; imported when it is needed."""


def find_dynamics(
    which: str | None = None, *, variant: str | None = None
) -> DynamicsVerifier:
    """The verifier of that name, or in that folder; nothing said: the one that ships.

    `which` is `texedo`, `paper`, `official` or a folder. Of a folder with several
    `variant` says which; where the choice is made already, it must be the same.
    """
    if variant is not None and variant not in KINDS:
        raise CheckpointError(
            f"There is no variant {variant!r}; there are {', '.join(KINDS)}."
        )
    if which is None:
        which = variant or DEFAULT_DYNAMICS
    if which in KINDS:
        _agree(which, KINDS[which], variant)
        bundled_folder(KINDS[which], otherwise="name the folder of a trained one.")
        return _load(KINDS[which], BUNDLED / KINDS[which])
    if not (Path(which).expanduser() / CONFIG_NAME).is_file():
        released = released_dynamics(which)
        if released is not None:
            _agree(which, OFFICIAL, variant)
            return released
    folder = _folder(which, variant or DEFAULT_DYNAMICS)
    kind = stored_kind(folder, LOADERS, _WHAT)
    _agree(str(folder), kind, variant)
    return _load(kind, folder)


def has_dynamics(variant: str = DEFAULT_DYNAMICS) -> bool:
    """Whether a verifier of this variant came with this installation."""
    return has_bundled(KINDS[variant])


def _folder(which: str, variant: str) -> Path:
    """Where the weights are: in the folder, or in the variant's folder within it."""
    folder = Path(which).expanduser()
    if not folder.is_dir():
        names = ", ".join((*KINDS, OFFICIAL))
        raise CheckpointError(
            f"{which!r} is neither a dynamic verifier's name ({names}) nor a folder with "
            "a trained one."
        )
    if (folder / CONFIG_NAME).is_file():
        return folder
    inner = folder / KINDS[variant]
    if not (inner / CONFIG_NAME).is_file():
        raise CheckpointError(
            f"{folder}: holds no dynamic verifier; neither {CONFIG_NAME} nor "
            f"{inner.name}/{CONFIG_NAME} is there."
        )
    return inner


def _agree(which: str, kind: str, asked: str | None) -> None:
    if asked is not None and KINDS[asked] != kind:
        raise CheckpointError(
            f"{which}: holds {kind!r}, not {KINDS[asked]!r}; leave the variant out, or "
            "name another folder."
        )


def _load(kind: str, folder: Path) -> DynamicsVerifier:
    verifier: DynamicsVerifier = loader(LOADERS[kind], _WHAT)(folder)
    return verifier
