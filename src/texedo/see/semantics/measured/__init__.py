"""R_text of a network, and what can be measured of a sentence is measured."""

from texedo.see.semantics.measured.verifier import (
    MeasuringVerifier as MeasuringVerifier,
)
