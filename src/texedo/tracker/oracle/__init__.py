"""Who survives and how well: roll-outs on the CPU and in large batches."""
