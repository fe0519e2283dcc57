"""Where motions come from: capture, retargeting, events, captions, synthesis, the corpus."""
