"""The `circuit` command, also as `python -m circuit_export`."""

import gc
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command and exits with its code."""
    # A command's objects mostly live until it ends: looking for garbage as often as Python does finds next to none.
    # Said before anything large is imported, this is a tenth of a short command's time.
    gc.set_threshold(50_000, 20, 20)
    from circuit_export.cli import main as command

    command()


if __name__ == "__main__":
    main()
