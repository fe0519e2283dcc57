"""The paper's dynamic verifier: success, tracking quality and progress of a motion."""
