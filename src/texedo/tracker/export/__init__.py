"""The tracker for others: ONNX files."""
