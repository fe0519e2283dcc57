"""Random numbers that belong to a candidate, not to a batch.

Candidate 2 of a prompt is the same alone, among 32, or beside other prompts: its numbers
are keyed by seed, prompt and candidate. More candidates or longer ones add numbers and
change none.
"""

from __future__ import annotations

import hashlib

import numpy as np


def candidate_stream(seed: int, prompt: str, candidate: int) -> np.random.Philox:
    """The source of a candidate's numbers, at its beginning."""
    text = f"{seed}\n{candidate}\n{prompt}".encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(text).digest()
    key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
    return np.random.Philox(key=key)
