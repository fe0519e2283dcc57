"""Weights in `.pt` and `.ckpt` files, read without running anything in them.

    file = read_torch_file("epoch=489.ckpt")
    weights = file.tensors("state_dict", prefix="lm.language_model.")

A torch file is a pickle, and a pickle is a program. torch reads it with `weights_only`,
which refuses all but tensors and plain values. Where it refuses, because a training
framework stored its settings as objects too, `torch_archive` reads the tensors and
leaves the objects out; `ignored` tells their names. Only the tensors that are asked for
are read, so that an optimizer's state costs nothing.
"""

from __future__ import annotations

import importlib.util
import pickle
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texedo.checkpoints.torch_archive import Archive, TensorRef
from texedo.core.errors import CheckpointError

if TYPE_CHECKING:
    from torch import Tensor

_POINTER = b"version https://git-lfs"


class TorchFile:
    """The content of a file: plain values, and tensors on the CPU."""

    def __init__(self, path: Path, content: Any, ignored: tuple[str, ...]) -> None:
        self.path = path
        self.content = content
        """Tensors are tensors, or the places of tensors if something was ignored."""
        self.ignored = ignored
        """Names of classes and functions that the file wanted and did not get."""

    def tensors(self, section: str = "", *, prefix: str = "") -> dict[str, Tensor]:
        """Tensors of a section whose names begin with `prefix`, by the rest of the name.

        The section is a key of the outermost dict; without one it is that dict itself.
        """
        found = self._section(section)
        wanted = {
            name.removeprefix(prefix): value
            for name, value in found.items()
            if isinstance(name, str) and name.startswith(prefix) and _is_tensor(value)
        }
        places = {k: v for k, v in wanted.items() if isinstance(v, TensorRef)}
        return {**wanted, **self._read(places)} if places else wanted

    def has(self, section: str) -> bool:
        """Whether there is such a section."""
        return isinstance(self.content, Mapping) and isinstance(
            self.content.get(section), Mapping
        )

    def _section(self, section: str) -> Mapping[Any, Any]:
        if section and not self.has(section):
            keys = list(self.content) if isinstance(self.content, Mapping) else []
            raise CheckpointError(
                f"{self.path}: has no {section!r}, only {', '.join(map(str, keys[:8]))}; "
                "it is another file than expected."
            )
        found = self.content[section] if section else self.content
        if not isinstance(found, Mapping):
            raise CheckpointError(f"{self.path}: holds no named tensors.")
        return found

    def _read(self, places: Mapping[str, TensorRef]) -> dict[str, Tensor]:
        storages: dict[str, Tensor] = {}
        try:
            with zipfile.ZipFile(self.path) as file:
                archive = Archive(file)
                return {k: archive.read(v, storages) for k, v in places.items()}
        except Exception as error:  # As many kinds as there are ways of damage.
            raise _damaged(self.path, error) from error


def require_torch(what: str) -> None:
    """Raises `CheckpointError` if torch is not installed; `what` begins the message."""
    if importlib.util.find_spec("torch") is None:
        raise CheckpointError(f"{what} needs torch: pip install 'texedo[learn]'.")


def read_torch_file(path: Path | str) -> TorchFile:
    """Open a file; raises `CheckpointError` if it is none of torch or damaged."""
    import torch

    path = Path(path)
    is_zip = _check_file(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # About how the file was written.
            content = torch.load(
                path, map_location="cpu", weights_only=True, mmap=is_zip
            )
        return TorchFile(path, content, ())
    except pickle.UnpicklingError as error:
        if not is_zip:
            raise CheckpointError(
                f"{path}: is refused, and nothing in it was run: it is no torch file, or "
                "an old one with more than tensors in it. Where you trust it, load it "
                "and save its weights alone: torch.save(model.state_dict(), PATH)."
            ) from error
    except Exception as error:
        raise _damaged(path, error) from error
    return _read_inert(path)


def _read_inert(path: Path) -> TorchFile:
    try:
        with zipfile.ZipFile(path) as file:
            content, ignored = Archive(file).content()
    except Exception as error:  # A pickle can go wrong in every way there is.
        raise _damaged(path, error) from error
    return TorchFile(path, content, ignored)


def _check_file(path: Path) -> bool:
    """Whether it is of the zip kind; complains about what is no weights at all."""
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_POINTER))
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise CheckpointError(f"{path}: {reason}.") from error
    if start == _POINTER:
        raise CheckpointError(
            f"{path}: is a Git LFS pointer, not the weights; run `git lfs pull` or "
            "download the file itself."
        )
    return start[:4] == b"PK\x03\x04"


def _is_tensor(value: Any) -> bool:
    import torch

    return isinstance(value, torch.Tensor | TensorRef)


def _damaged(path: Path, error: Exception) -> CheckpointError:
    reason = str(error).split("\n", 1)[0][:120] or type(error).__name__
    return CheckpointError(
        f"{path}: is damaged or cut off ({reason}); download it again."
    )
