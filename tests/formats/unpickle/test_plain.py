"""Pickles that want more than plain data are refused, and nothing in them runs."""

from __future__ import annotations

import os
import pickle
import struct
import time
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.written_elsewhere import (
    LIBRARY,
    LIBRARY_ZLIB,
    NUMPY1_PROTOCOL2,
    NUMPY1_PROTOCOL4,
)
from texedo.core import budget, unpickle
from texedo.core.errors import FileFormatError, UnsafeFileError
from texedo.formats import detect, load_motion
from texedo.formats.unpickle.plain import load_pickle


def stored(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "clip.pkl"
    path.write_bytes(data)
    return path


def load(tmp_path: Path, data: bytes) -> Any:
    return load_pickle(stored(tmp_path, data))


PLAIN: dict[str, Any] = {
    "fps": 30.5,
    "count": 2**40,
    "none": None,
    "yes": True,
    "names": ["pelvis", "torso", "\u00e4"],
    "pair": (1, (2.5, b"raw")),
    "array": np.arange(12, dtype=np.float32).reshape(3, 4),
    "columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
    "big_endian": np.array([1.5, 2.5], dtype=">f8"),
    "scalar": np.float32(1.5),
    "zero_d": np.array(7.0),
    "empty": np.zeros((0, 3)),
    "flags": np.array([True, False]),
    "text": np.array(["a", "bc"]),
}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_data_come_back_in_every_protocol(protocol: int, tmp_path: Path) -> None:
    data = dict(PLAIN)
    if protocol < 3:
        del data["empty"]  # Written as a call of builtins.bytes there.
    back = load(tmp_path, pickle.dumps(OrderedDict(data), protocol=protocol))
    assert list(back) == list(data)
    for key, value in data.items():
        if isinstance(value, np.ndarray):
            assert back[key].dtype == value.dtype
            np.testing.assert_array_equal(back[key], value)
        else:
            assert back[key] == value


@pytest.mark.parametrize("data", [NUMPY1_PROTOCOL2, NUMPY1_PROTOCOL4])
def test_pickles_of_numpy_1_are_read(data: bytes, tmp_path: Path) -> None:
    clip = load(tmp_path, data)["clip"]
    for key in ("dof", "f"):
        assert clip[key].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert (clip["s"], clip["z"], clip["fps"], clip["n"]) == (2.5, 3.0, 30, "x")


def test_joblib_files_are_read_without_joblib(tmp_path: Path) -> None:
    plain, packed = load(tmp_path, LIBRARY), load(tmp_path, LIBRARY_ZLIB)
    assert plain["walk_001"]["dof"].shape == (2, 29)
    np.testing.assert_array_equal(plain["wave"]["dof"], packed["wave"]["dof"])


@pytest.mark.parametrize("start", [b"\x04\x22\x4d\x18rest", b"ZF0x1234"])
def test_compressions_that_are_not_read_say_how_to_save_again(
    start: bytes, tmp_path: Path
) -> None:
    with pytest.raises(FileFormatError, match="compress=False"):
        load(tmp_path, start)


class Call:
    """Pickles as a call of any function."""

    def __init__(self, function: Any, *args: Any) -> None:
        self.function, self.args = function, args

    def __reduce__(self) -> tuple[Any, ...]:
        return self.function, self.args


def reduce_call(module: str, name: str, argument: str) -> bytes:
    """A protocol 0 pickle that calls module.name(argument)."""
    return f"c{module}\n{name}\n(S'{argument}'\ntR.".encode()


def stack_call(module: str, name: str, argument: str) -> bytes:
    """The same in protocol 4, whose names may have dots."""

    def text(value: str) -> bytes:
        return b"\x8c" + bytes([len(value)]) + value.encode()

    return (
        b"\x80\x04" + text(module) + text(name) + b"\x93" + text(argument) + b"\x85R."
    )


ATTACKS = [
    ("os", "system"),
    ("posix", "system"),
    ("nt", "system"),
    ("subprocess", "Popen"),
    ("builtins", "eval"),
    ("builtins", "exec"),
    ("builtins", "getattr"),
    ("builtins", "__import__"),
    ("builtins", "open"),
    ("__builtin__", "eval"),
    ("numpy", "load"),
    ("numpy", "fromfile"),
    ("numpy", "ndarray.tofile"),
    ("numpy", "os.system"),
    ("numpy.testing._private.utils", "runstring"),
    ("numpy._core.multiarray", "fromfile"),
    ("numpy._core.multiarray", "_reconstruct.__globals__"),
    ("numpy.core.multiarray", "set_typeDict"),
    ("numpy.lib._datasource", "open"),
    ("numpy.f2py", "compile"),
    ("numpy.ctypeslib", "load_library"),
    ("copyreg", "_reconstructor"),
    ("functools", "partial"),
    ("joblib.numpy_pickle", "load"),
    ("joblib.numpy_pickle", "NDArrayWrapper"),
    ("pickle", "loads"),
    ("torch._utils", "_rebuild_tensor_v2"),
]


@pytest.mark.parametrize("make", [reduce_call, stack_call])
@pytest.mark.parametrize(("module", "name"), ATTACKS)
def test_a_pickle_that_names_a_function_is_refused(
    make: Any, module: str, name: str, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    path = stored(tmp_path, make(module, name, f"touch {marker}"))
    with pytest.raises(UnsafeFileError, match="nothing in it was run") as caught:
        load_motion(path)
    assert f"{module}.{name}" in str(caught.value)
    assert str(path) in str(caught.value)
    with pytest.raises(UnsafeFileError):
        detect(path)
    assert not marker.exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_call_hidden_among_honest_arrays_does_not_run(
    protocol: int, tmp_path: Path
) -> None:
    marker = tmp_path / "ran"
    data = {
        "fps": 30,
        "root_pos": np.zeros((4, 3)),
        "root_rot": np.tile([0.0, 0, 0, 1], (4, 1)),
        "dof_pos": np.zeros((4, 29)),
        "local_body_pos": Call(os.system, f"touch {marker}"),
    }
    path = stored(tmp_path, pickle.dumps(data, protocol=protocol))
    with pytest.raises(UnsafeFileError):
        load_motion(path)
    assert not marker.exists()


@pytest.mark.parametrize("compress", [zlib.compress])
def test_compression_hides_nothing(compress: Any, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    path = stored(tmp_path, compress(reduce_call("os", "system", f"touch {marker}")))
    with pytest.raises(UnsafeFileError):
        load_motion(path)
    assert not marker.exists()


DTYPE_F8 = b"cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb"
ARRAY = b"cnumpy._core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR"


@pytest.mark.parametrize(
    "data",
    [
        # allowed names with arguments they do not take
        b"cnumpy\ndtype\n(S'O8'\nI0\nI1\ntR.",
        b"cnumpy\ndtype\n(S'V8'\nI0\nI1\ntR.",
        b"cnumpy\ndtype\n((lp0\ntR.",
        b"cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'<'\nN(S'a'\nt}I8\nI8\nI0\ntb.",
        b"cnumpy\ndtype\n(S'f8'\nI0\nI1\ntR(I3\nS'?'\nNNNI-1\nI-1\nI0\ntb.",
        b"cnumpy._core.multiarray\n_reconstruct\n(cnumpy\ndtype\n(I0\ntS'b'\ntR.",
        b"cnumpy\nndarray\n(I5\ntR.",
        b"cnumpy\nndarray\n)\x81.",
        b"ccollections\nOrderedDict\n((lp0\ntR.",
        b"c_codecs\nencode\n(S'a'\nS'zip'\ntR.",
        b"cnumpy._core.multiarray\nscalar\n(" + DTYPE_F8 + b"S'abc'\ntR.",
        # arrays whose state is wrong, too large or missing
        ARRAY + b".",
        ARRAY + b"(I1\n(I1000\nt" + DTYPE_F8 + b"I00\nS'abcdefgh'\ntb.",
        ARRAY + b"(I1\n(I-1\nt" + DTYPE_F8 + b"I00\nS''\ntb.",
        ARRAY + b"(I1\n(I1000000\nI1000000\nI1000000\nt" + DTYPE_F8 + b"I00\nS''\ntb.",
        ARRAY + b"(I1\n(S'a'\nt" + DTYPE_F8 + b"I00\nS''\ntb.",
        ARRAY + b"(I1\n(I1\ntS'f8'\nI00\nS'abcdefgh'\ntb.",
        ARRAY + b"(I1\n(I1\nt" + DTYPE_F8 + b"I00\n(lp0\ntb.",
        ARRAY + b"}S'shape'\n(I1\ntsb.",
        # states for things that have none
        b"}}S'a'\nI1\nsb.",
        b"(lp0\n}b.",
        b"cnumpy\nndarray\n}S'__class__'\nI1\nsb.",
        b"S'text'\n}b.",
        # joblib wrappers without sense
        b"cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81}b.",
        b"cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81(lp0\nb.",
        b"cjoblib.numpy_pickle\nNumpyArrayWrapper\n(I1\nt\x81}b.",
        # stack abuse
        b".",
        b"0.",
        b"t.",
        b"(",
        b"R.",
        b"b.",
        b"s.",
        b"\x86.",
        b"\x94.",
        b"h\x07.",
        b"\x93.",
        b"\x80\x04K\x01K\x02\x93.",
        b"}(I1\nu.",
        b"}(lp0\nI1\ns.",
        b"}(I1\ntI1\ns.",
        b"I1\nI2\na.",
        b"\xff.",
        b"",
    ],
)
def test_nonsense_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError):
        load(tmp_path, data)


@pytest.mark.parametrize(
    "data",
    [
        b"(cos\nsystem\nS'ls'\no.",  # OBJ
        b"(S'ls'\nios\nsystem\n.",  # INST
        b"P1\n.",  # PERSID
        b"K\x01Q.",  # BINPERSID
        b"\x82\x01.",  # EXT1
        b"\x80\x05\x97.",  # NEXT_BUFFER
        b"\x80\x04\x8f.",  # EMPTY_SET
        b"\x80\x04)}\x92.",  # NEWOBJ_EX
    ],
)
def test_instructions_that_plain_data_do_not_need_are_refused(
    data: bytes, tmp_path: Path
) -> None:
    with pytest.raises(UnsafeFileError):
        load(tmp_path, data)


def test_references_to_references_cost_no_time(tmp_path: Path) -> None:
    # Two to the sixtieth leaves, if anybody looked at them all.
    lists = b"(lp0\n" + b"".join(
        f"(lp{i + 1}\ng{i}\nag{i}\na".encode() for i in range(60)
    )
    start = time.perf_counter()
    load(tmp_path, lists + b".")
    with pytest.raises(FileFormatError, match="fits no format"):
        load_motion(tmp_path / "clip.pkl")
    assert time.perf_counter() - start < 1


def test_keys_that_take_for_ever_to_hash_are_refused(tmp_path: Path) -> None:
    nested = b"K\x01" + b"2\x86" * 60  # each pair holds the one before it twice
    start = time.perf_counter()
    with pytest.raises(FileFormatError, match="a dict key of type tuple"):
        load(tmp_path, b"}" + nested + b"K\x01s.")
    assert time.perf_counter() - start < 1


def test_a_memo_place_far_away_takes_no_memory(tmp_path: Path) -> None:
    data = b"\x80\x02}r" + struct.pack("<I", 2**32 - 1) + b"."
    assert load(tmp_path, data) == {}


def test_lengths_beyond_the_file_take_no_memory(tmp_path: Path) -> None:
    for opcode in (b"\x8d", b"\x8e", b"\x96"):
        with pytest.raises(FileFormatError, match="damaged or cut-off"):
            load(tmp_path, b"\x80\x05" + opcode + struct.pack("<Q", 2**40) + b"abc.")


def test_a_decompression_bomb_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "BASE_BYTES", 1 << 20)
    bomb = zlib.compress(b"\0" * (1 << 24))
    assert len(bomb) < 20_000
    with pytest.raises(FileFormatError, match="compressed data takes more than 1 MB"):
        load(tmp_path, bomb)


def test_text_encoded_over_and_over_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "BASE_BYTES", 10_000)
    once = b"(g0\nS'latin1'\nt"
    data = b"S'" + b"x" * 1000 + b"'\np0\n0c_codecs\nencode\np1\n0"
    data += (b"g1\n" + once + b"R0") * 20 + b"N."
    with pytest.raises(FileFormatError, match="takes more than .* of memory"):
        load(tmp_path, data)


def test_too_many_instructions_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpickle, "MAX_STEPS", 100)
    with pytest.raises(FileFormatError, match="instructions"):
        load(tmp_path, b"N0" * 200 + b"N.")


def test_cut_off_compressed_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="cut off"):
        load(tmp_path, LIBRARY_ZLIB[:300])
