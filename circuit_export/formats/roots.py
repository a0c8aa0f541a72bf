"""The folder of the repository that a file belongs to."""

from __future__ import annotations

import os
from pathlib import Path

MARKERS = (".circuit", ".git")
"""What a repository's folder holds."""


def root_of(file: Path) -> Path | None:
    """The nearest folder above a file that is a repository's, None when there is none."""
    for folder in file.absolute().parents:
        if any((folder / marker).exists() for marker in MARKERS) and not root_trouble(folder):
            return folder
    return None


def root_trouble(root: Path) -> str:
    """Why a folder cannot be a repository, as the end of a sentence; "" when it can."""
    try:
        real = Path(os.path.realpath(root, strict=True))
        if not real.is_dir():
            return "is no folder"
    except (OSError, ValueError):
        return "does not exist or cannot be read"
    return "is the root of the whole disk" if real == Path(real.anchor) else ""
