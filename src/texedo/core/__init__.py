"""What everything stands on: errors, files, threads, worker processes."""
