"""The tensors in a torch file whose pickle also names classes that nobody needs.

A training framework stores its settings as objects beside the weights, and to read those
as they are would mean to run code of the file's choosing. Here no name in the file is
ever looked up. The few that tensors are made of stand for steps written below; every
other one stands for `Inert`, which takes whatever it is given and does nothing. What
comes out are dicts, lists, texts and numbers, places of tensors, and inert objects.
"""

from __future__ import annotations

import pickle
import zipfile
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from torch import Tensor

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


class DamagedFile(Exception):
    """A torch file that is not what its parts say of each other."""


class Inert:
    """An object of a class that is not looked up."""

    __slots__ = ()

    def __new__(cls, *_: Any, **__: Any) -> Inert:
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, *_: Any, **__: Any) -> Inert:
        return self

    def __setstate__(self, _: Any) -> None:
        pass

    def __setitem__(self, _: Any, __: Any) -> None:
        pass

    def append(self, _: Any) -> None:
        pass

    def extend(self, _: Any) -> None:
        pass

    def add(self, _: Any) -> None:
        pass


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


class _Step:
    """Something the file may call. It has a state that no file can set."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make

    def __call__(self, *args: Any) -> Any:
        return self._make(*args)

    def __setstate__(self, _: Any) -> None:
        raise DamagedFile("a state for a function")


class _StorageKind(NamedTuple):
    dtype: str

    def __setstate__(self, _: Any) -> None:
        raise DamagedFile("a state for a kind of storage")


class _Named(dict[Any, Any]):
    """An ordered dict, without what torch hangs on to it."""

    def __setstate__(self, _: Any) -> None:
        pass


def _tensor(storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> TensorRef:
    if not isinstance(storage, StorageRef):
        raise DamagedFile("a tensor without storage")
    ref = TensorRef(storage, int(offset), _whole(size), _whole(stride))
    if len(ref.size) != len(ref.stride) or ref.offset < 0:
        raise DamagedFile("a tensor of an impossible shape")
    if 0 not in ref.size:
        steps = zip(ref.size, ref.stride, strict=True)
        last = ref.offset + sum((n - 1) * step for n, step in steps)
        if last >= storage.numel:
            raise DamagedFile("a tensor that is larger than its storage")
    return ref


def _whole(numbers: Any) -> tuple[int, ...]:
    found = tuple(int(n) for n in numbers)
    if any(n < 0 for n in found):
        raise DamagedFile("a negative size")
    return found


_KNOWN: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): _Step(_Named),
    ("torch", "Size"): _Step(_whole),
    ("torch._utils", "_rebuild_tensor"): _Step(_tensor),
    ("torch._utils", "_rebuild_tensor_v2"): _Step(_tensor),
    ("torch._utils", "_rebuild_parameter"): _Step(lambda data, *_: data),
    **{("torch", name): _StorageKind(dtype) for name, dtype in _STORAGES.items()},
}


class InertUnpickler(pickle.Unpickler):
    """Python's own reader, with every name it meets answered from the table above."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream, encoding="utf-8")
        self.ignored: set[str] = set()
        """Names in the file that were not looked up."""

    def find_class(self, module: str, name: str) -> Any:
        known = _KNOWN.get((module, name))
        if known is not None:
            return known
        self.ignored.add(f"{module}.{name}")
        return Inert

    def persistent_load(self, pid: Any) -> StorageRef:
        if not (isinstance(pid, tuple) and len(pid) == 5 and pid[0] == "storage"):
            raise DamagedFile("an unknown kind of reference")
        _, kind, key, _, count = pid
        if not isinstance(kind, _StorageKind):
            raise DamagedFile("numbers of an unknown kind")
        return StorageRef(str(key), kind.dtype, int(count))


class Archive:
    """A torch file of the zip kind, read part by part."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        pickles = [n for n in archive.namelist() if n.endswith("/data.pkl")]
        if len(pickles) != 1:
            raise DamagedFile("no data.pkl in the archive")
        self._root = pickles[0].removesuffix("data.pkl")
        order = f"{self._root}byteorder"
        if order in archive.namelist() and archive.read(order) != b"little":
            raise DamagedFile("written on a big-endian machine")

    def content(self) -> tuple[Any, tuple[str, ...]]:
        """What the file holds, and the names in it that were not looked up."""
        with self._zip.open(f"{self._root}data.pkl") as stream:
            reader = InertUnpickler(stream)
            content = reader.load()
        return content, tuple(sorted(reader.ignored))

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
            raise DamagedFile(f"record {ref.key} has not the size it should have")
        # torch never compresses; a file that does may grow beyond the memory.
        if info.compress_type != zipfile.ZIP_STORED:
            raise DamagedFile(f"record {ref.key} is compressed")
        return torch.frombuffer(bytearray(self._zip.read(info)), dtype=dtype)
