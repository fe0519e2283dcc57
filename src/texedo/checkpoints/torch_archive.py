"""The tensors in a torch file whose pickle also names classes that nobody needs.

A training framework stores its settings as objects beside the weights, and to read those
as they are would mean to run code of the file's choosing. Here no name in the file is
ever looked up (`texedo.core.unpickle`). The few that tensors are made of stand for steps
written below; every other one is inert. What comes out are dicts, lists, texts and
numbers, places of tensors, and inert objects.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from texedo.core.budget import Budget
from texedo.core.unpickle import INERT, INERT_NAME, Inert, PickleDamage, run_pickle

if TYPE_CHECKING:
    from torch import Tensor

_MAX_PROGRAM = 64 << 20
"""Bytes; names and places of the tensors, not the tensors."""
_STORAGES = {
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
}


class StorageRef(NamedTuple):
    """Numbers in the archive, not read yet."""

    key: str
    dtype: str
    numel: int


class TensorRef(NamedTuple):
    """Where a tensor lies in the archive; sizes and strides in numbers."""

    storage: StorageRef
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]


class _Step(NamedTuple):
    """Something the file may call."""

    make: Callable[..., Any]


class _StorageKind(NamedTuple):
    dtype: str


def _tensor(storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> TensorRef:
    if not isinstance(storage, StorageRef):
        raise PickleDamage("a tensor without storage")
    ref = TensorRef(storage, int(offset), _whole(size), _whole(stride))
    if len(ref.size) != len(ref.stride) or ref.offset < 0:
        raise PickleDamage("a tensor of an impossible shape")
    if 0 not in ref.size:
        steps = zip(ref.size, ref.stride, strict=True)
        last = ref.offset + sum((n - 1) * step for n, step in steps)
        if last >= storage.numel:
            raise PickleDamage("a tensor that is larger than its storage")
    return ref


def _whole(numbers: Any) -> tuple[int, ...]:
    found = tuple(int(n) for n in numbers)
    if any(n < 0 for n in found):
        raise PickleDamage("a negative size")
    return found


def _ordered(pairs: Any = ()) -> dict[Any, Any]:
    """An ordered dict; protocol 0 gives its pairs along."""
    return dict(pairs)


_KNOWN: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): _Step(_ordered),
    ("torch", "Size"): _Step(_whole),
    ("torch._utils", "_rebuild_tensor"): _Step(_tensor),
    ("torch._utils", "_rebuild_tensor_v2"): _Step(_tensor),
    ("torch._utils", "_rebuild_parameter"): _Step(lambda data, *_: data),
    **{("torch", name): _StorageKind(dtype) for name, dtype in _STORAGES.items()},
}


_SIMPLE = (str, int, bytes, float, bool, type(None), Inert)
"""What keys of dicts are made of."""


class _TorchNames:
    """Names that tensors are made of; every other one is inert."""

    def __init__(self) -> None:
        self.ignored: set[str] = set()
        """Names in the file that stand for nothing."""

    def find(self, module: str, name: str) -> Any:
        known = _KNOWN.get((module, name))
        if known is not None:
            return known
        self.ignored.add(f"{module}.{name}")
        return INERT_NAME

    def call(self, name: Any, args: tuple[Any, ...]) -> Any:
        if name is INERT_NAME or name is INERT:
            return INERT
        if not isinstance(name, _Step):
            raise PickleDamage("a call of something that is no function")
        return name.make(*args)

    def make(self, name: Any, args: tuple[Any, ...]) -> Any:
        return self.call(name, args)

    def set_state(self, target: Any, state: Any, stream: IO[bytes]) -> Any:
        # What torch hangs on to its dicts and parameters is not needed.
        if target is INERT or type(target) in (dict, TensorRef):
            return target
        raise PickleDamage("a state for a name")

    def finish(self, value: Any) -> Any:
        return value

    def refer(self, reference: Any) -> StorageRef:
        if not (type(reference) is tuple and len(reference) == 5):
            raise PickleDamage("an unknown kind of reference")
        word, kind, key, _, count = reference
        if word != "storage" or not isinstance(kind, _StorageKind):
            raise PickleDamage("numbers of an unknown kind")
        return StorageRef(str(key), kind.dtype, int(count))

    def takes_key(self, key: Any) -> bool:
        parts = key if type(key) is tuple else (key,)
        return all(type(part) in _SIMPLE for part in parts)


class Archive:
    """A torch file of the zip kind, read part by part."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        pickles = [n for n in archive.namelist() if n.endswith("/data.pkl")]
        if len(pickles) != 1:
            raise PickleDamage("no data.pkl in the archive")
        self._root = pickles[0].removesuffix("data.pkl")
        order = f"{self._root}byteorder"
        if order in archive.namelist() and archive.read(order) != b"little":
            raise PickleDamage("written on a big-endian machine")

    def content(self) -> tuple[Any, tuple[str, ...]]:
        """What the file holds, and the names in it that were not looked up."""
        info = self._zip.getinfo(f"{self._root}data.pkl")
        if info.file_size > _MAX_PROGRAM:
            raise PickleDamage(f"a data.pkl of {info.file_size} bytes")
        with self._zip.open(info) as stream:
            program = io.BytesIO(stream.read(_MAX_PROGRAM))
        names = _TorchNames()
        budget = Budget(self._zip.filename or "", size=info.compress_size)
        content = run_pickle(program, names, budget)
        return content, tuple(sorted(names.ignored))

    def read(self, ref: TensorRef, storages: dict[str, Tensor]) -> Tensor:
        """One tensor; `storages` keeps what several tensors share."""
        import torch

        if 0 in ref.size:
            return torch.zeros(ref.size, dtype=getattr(torch, ref.storage.dtype))
        if ref.storage.key not in storages:
            storages[ref.storage.key] = self._storage(ref.storage)
        flat = storages[ref.storage.key]
        return flat.as_strided(ref.size, ref.stride, ref.offset)

    def _storage(self, ref: StorageRef) -> Tensor:
        import torch

        dtype: torch.dtype = getattr(torch, ref.dtype)
        info = self._zip.getinfo(f"{self._root}data/{ref.key}")
        if info.file_size != ref.numel * dtype.itemsize:
            raise PickleDamage(f"record {ref.key} has not the size it should have")
        # torch never compresses; a file that does may grow beyond the memory.
        if info.compress_type != zipfile.ZIP_STORED:
            raise PickleDamage(f"record {ref.key} is compressed")
        return torch.frombuffer(bytearray(self._zip.read(info)), dtype=dtype)
