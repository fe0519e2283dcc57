"""Training of the diffusion generator on the motions and captions of a corpus."""
