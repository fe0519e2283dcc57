"""Ways to spoil a file: bytes, text, arrays, archives, pickles, settings.

Every function takes the bytes of a file and a random generator and returns other bytes.
`spoil` chooses one that knows the container, or one that does not care.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
import pickletools
import random
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

Spoil = Callable[[bytes, random.Random], bytes]

_LARGE = (0, 1, 127, 255, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1)
_DTYPES = ("f2", "f4", "f8", ">f8", "i1", "i8", "u2", "b1", "U3", "S5", "U2000", "c16")
_FPS: tuple[Any, ...] = (
    *(5e-324, 1e-310, 1e308, float("nan"), float("inf"), 0, -1, 1e-9, 0.5, 10**400),
    *("50", "", None, True, [50], [[50]], {"a": 1}, b"50", (50, 50)),
)
_WORDS = (
    *(
        "nan",
        "inf",
        "-inf",
        "1e999",
        "1e-320",
        "0x10",
        "1_000",
        "",
        "-",
        '"0.5"',
        "0,5",
    ),
    *(
        "\uff10\uff0e\uff15",
        "\u22120.5",
        "high",
        "\x00",
        "\x1b[31m",
        "9" * 400,
        "1e308",
    ),
)


def flip_bits(data: bytes, rng: random.Random) -> bytes:
    spoiled = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64))):
        spoiled[rng.randrange(len(spoiled))] ^= 1 << rng.randrange(8)
    return bytes(spoiled)


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def rearrange(data: bytes, rng: random.Random) -> bytes:
    spoiled = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at, size = rng.randrange(max(1, len(spoiled))), rng.randint(1, 60)
        kind = rng.randrange(4)
        if kind == 0:
            del spoiled[at : at + size]
        elif kind == 1:
            spoiled[at:at] = spoiled[at // 2 : at // 2 + size]
        elif kind == 2:
            spoiled[at:at] = rng.randbytes(size)
        else:
            spoiled[at : at + size] = bytes(size)
    return bytes(spoiled) or b"x"


def large_number(data: bytes, rng: random.Random) -> bytes:
    width = rng.choice((1, 2, 4, 8))
    number: bytes = (rng.choice(_LARGE) % 256**width).to_bytes(
        width, rng.choice(("little", "big"))
    )
    at = rng.randrange(max(1, len(data) - width))
    return data[:at] + number + data[at + width :]


def repeat(data: bytes, rng: random.Random) -> bytes:
    """A piece a thousand times over."""
    at = rng.randrange(len(data))
    piece = data[at : at + rng.randint(1, 200)]
    return data[:at] + piece * rng.choice((2, 100, 5000)) + data[at:]


def words(data: bytes, rng: random.Random) -> bytes:
    """Words and separators of a text."""
    text = data.decode("utf-8", errors="replace")
    kind = rng.randrange(6)
    if kind == 0:
        mark = rng.choice(("\t", ";", " ", ",,", " , ", "|", "\n"))
        text = text.replace(",", mark)
    elif kind == 1:
        text = text.replace(
            "\n", rng.choice(("\r", "\r\n", ",\n", "\n\n", " ", "\x85"))
        )
    elif kind == 2:
        lines = text.split("\n")
        lines = [f"{i * 0.02:.3f},{line}" for i, line in enumerate(lines)]
        text = "\n".join(lines)
    elif kind == 3:
        lines = text.split("\n")
        rng.shuffle(lines)
        text = "\n".join(lines)
    elif kind == 4:
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        text = "\n".join(
            [*lines[:at], *[lines[at]] * rng.choice((2, 9000)), *lines[at:]]
        )
    else:
        for _ in range(rng.randint(1, 5)):
            parts = text.split(rng.choice((",", " ", "\n", "\t", ":")))
            old = rng.choice(parts)
            if old:
                text = text.replace(old, rng.choice(_WORDS), rng.choice((1, -1)))
    encoding = rng.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16"))
    return text.encode(encoding, errors="replace") or b"\n"


def _other_array(array: np.ndarray[Any, Any], rng: random.Random) -> Any:
    kind = rng.randrange(9)
    if kind == 0:
        with np.errstate(all="ignore"):
            return np.asarray(array).astype(rng.choice(_DTYPES))
    if kind == 1:
        return array.reshape(-1)[: rng.randint(0, 40)]
    if kind == 2:
        return array[..., : rng.randint(0, 3)] if array.ndim else array
    if kind == 3:
        return np.array(rng.choice((0.5, "text", True, float("nan"))))
    if kind == 4:
        spoiled = np.array(array)
        if spoiled.size and spoiled.dtype.kind == "f":
            spoiled = spoiled.astype(np.float64)
            spoiled.reshape(-1)[rng.randrange(spoiled.size)] = rng.choice(
                (np.nan, np.inf, 1e38, -1e300, 0.0)
            )
        return spoiled
    if kind == 5:
        frames = rng.choice((0, 1, 3, 50_000, 400_000))
        return np.zeros((frames, *array.shape[1:]), rng.choice(("f4", "i1", "f8")))
    if kind == 6:
        return np.asfortranarray(array)
    if kind == 7:
        return array[None]
    return np.zeros_like(array)


def archive(data: bytes, rng: random.Random) -> bytes:
    """Members of an npz: other arrays, names, compressions, sizes."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        members = {name: old.read(name) for name in old.namelist()}
    names = list(members)
    for _ in range(rng.randint(1, 3)):
        name = rng.choice(names)
        kind = rng.randrange(6)
        if kind <= 2:
            array = np.load(io.BytesIO(members[name]))
            stream = io.BytesIO()
            np.save(stream, _other_array(array, rng))
            members[name] = stream.getvalue()
        elif kind == 3:
            members.pop(name, None)
            members[rng.choice(("fps.npy", "x.npy", "joint_names.npy", "../a.npy"))] = (
                b""
            )
            names = list(members)
        elif kind == 4:
            members[name] = header(members[name] or b"\0" * 40, rng)
        else:
            members[name], members[names[0]] = members[names[0]], members[name]
    out = io.BytesIO()
    kinds = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]
    if rng.random() < 0.1:
        kinds += [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    with zipfile.ZipFile(out, "w") as new:
        for name, content in members.items():
            new.writestr(name, content, compress_type=rng.choice(kinds))
    spoiled = out.getvalue()
    return large_number(spoiled, rng) if rng.random() < 0.3 else spoiled


def header(data: bytes, rng: random.Random) -> bytes:
    """The header of an npy file: type, shape, order."""
    edits = (
        (b"'<f4'", rng.choice((b"'<f8'", b"'|O'", b"'<U9999999'", b"'<c8'", b"'<i8'"))),
        (
            b"(12,",
            rng.choice((b"(1200000000000,", b"(0,", b"(-1,", b"(12,1,", b"(True,")),
        ),
        (b"(", rng.choice((b"(" * 50, b"(1,1,1,1,1,1,1,1,1,1,", b"((", b""))),
        (b"False", b"True"),
        (b"{", rng.choice((b"[", b"{'a': 1, ", b"{" * 900))),
    )
    old, new = rng.choice(edits)
    spoiled = data[:200].replace(old, new, 1)
    spoiled = spoiled[: len(data[:200])] + b" " * max(0, len(data[:200]) - len(spoiled))
    return spoiled + data[200:]


def _clips(content: Any) -> list[dict[str, Any]]:
    if any(isinstance(value, dict) for value in content.values()):
        return [value for value in content.values() if isinstance(value, dict)]
    return [content]


def pickled(data: bytes, rng: random.Random) -> bytes:
    """What a pickle holds: other arrays, rates, keys, and many of the same."""
    content = pickle.loads(data)
    extra: tuple[Any, ...] = ("link_body_list", "local_body_pos", "pose_aa", 7, b"x")
    for clip in _clips(content):
        kind = rng.randrange(6)
        if kind == 0:
            clip["fps"] = rng.choice(_FPS)
        elif kind == 1:
            clip.pop(rng.choice(list(clip)))
        elif kind == 2:
            clip[rng.choice(extra)] = rng.choice(
                (None, "text", [1, [2, [3]]], np.zeros(3), np.array("text"))
            )
        else:
            key = rng.choice([k for k, v in clip.items() if isinstance(v, np.ndarray)])
            clip[key] = _other_array(clip[key], rng)
    if rng.random() < 0.15:
        one = _clips(content)[0]
        content = {f"c{i}": one for i in range(rng.choice((2, 300, 4000)))}
    if rng.random() < 0.1:
        nested: Any = [1]
        for _ in range(rng.choice((30, 60, 900))):
            nested = [nested, nested]
        content[rng.choice(("fps", "dof_pos", "root_rot", "more"))] = nested
    try:
        spoiled = pickle.dumps(content, protocol=rng.randrange(6))
    except RecursionError:
        spoiled = pickle.dumps({"fps": 1}, protocol=2)
    pack = rng.choice(
        (None, None, zlib.compress, gzip.compress, bz2.compress, lzma.compress)
    )
    return spoiled if pack is None else pack(spoiled)


def opcodes(data: bytes, rng: random.Random) -> bytes:
    """Instructions of a pickle: lost, twice, exchanged, made up."""
    starts = [at or 0 for _, _, at in pickletools.genops(data)]
    pieces = [data[a:b] for a, b in zip(starts, [*starts[1:], len(data)], strict=True)]
    made_up = (
        *(
            b"cos\nsystem\n(S'touch RAN'\ntR",
            b"\x8c\x02os\x8c\x06system\x93",
            b"}",
            b"(",
        ),
        *(
            b"0",
            b"2",
            b"R",
            b"b",
            b"\x81",
            b"\x94",
            b"h\x00",
            b"N" * 100_000,
            b"]" * 50_000,
        ),
        *(
            b"\x8b\xff\xff\xff\x7f",
            b"\x8e" + b"\xff" * 8,
            b"X\x04\0\0\0\xf0\x9f\x98\x80",
        ),
    )
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(pieces))
        kind = rng.randrange(4)
        if kind == 0:
            del pieces[at]
        elif kind == 1:
            pieces[at:at] = pieces[max(0, at - 20) : at] * rng.choice((1, 1, 3000))
        elif kind == 2:
            other = rng.randrange(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
        else:
            pieces.insert(at, rng.choice(made_up))
        pieces = pieces or [b"."]
    return b"".join(pieces)


_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1e308,
        10**30,
        10_000_000,
        255,
        "text",
        "",
        [],
        [1] * 2000,
        {},
    ),
    *(["text"], {"a": 1}, [[1]], "\u202e\x1b[31m", 0.5, [1e9], "9" * 5000),
)


def settings(data: bytes, rng: random.Random) -> bytes:
    """A config.json: other values and types, keys that are lost or new."""
    content = json.loads(data)
    for _ in range(rng.randint(1, 3)):
        place, path = content, []
        while isinstance(place, dict) and place:
            key = rng.choice(list(place))
            path.append((place, key))
            if not isinstance(place[key], dict) or rng.random() < 0.2:
                break
            place = place[key]
        if not path:
            break
        place, key = path[-1]
        if rng.random() < 0.15:
            del place[key]
        elif rng.random() < 0.1:
            place[rng.choice(("new", "kind", "spec"))] = rng.choice(_VALUES)
        else:
            place[key] = rng.choice(_VALUES)
    if rng.random() < 0.05:
        return b"[" * 100_000
    return json.dumps(content).encode()


_ANY: tuple[Spoil, ...] = (flip_bits, cut, rearrange, large_number, repeat)
_BY_ENDING: dict[str, tuple[Spoil, ...]] = {
    ".npz": (archive, archive, archive),
    ".npy": (header, header),
    ".csv": (words, words, words),
    ".bvh": (words, words, words),
    ".yaml": (words, words),
    ".txt": (words, words),
    ".pkl": (pickled, pickled, opcodes, opcodes),
    ".json": (settings, settings, settings, words),
}


def spoil(data: bytes, ending: str, rng: random.Random) -> tuple[str, bytes]:
    """What was done, and the bytes that it left."""
    choices = (*_ANY, *_BY_ENDING.get(ending, ()))
    spoiled, names = data or b"\0", []
    for _ in range(rng.choice((1, 1, 1, 2))):
        change = rng.choice(choices)
        try:
            spoiled = change(spoiled or b"\0", rng)
            names.append(change.__name__)
        except Exception:  # It was spoiled too much already for this one.
            spoiled = flip_bits(spoiled or b"\0", rng)
            names.append("flip_bits")
    return "+".join(names), spoiled
