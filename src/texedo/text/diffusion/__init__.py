"""Text -> motion by diffusion: a transformer that takes the noise out of whole motions."""

KIND = "motion-diffusion"
"""Of the artefact on disk."""
