"""Controllers: ours, ONNX policies of others, and none at all."""
