"""`python -m texedo` is the `texedo` command."""

from texedo.apps.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
