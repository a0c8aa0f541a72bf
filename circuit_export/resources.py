"""Finds the folders that ship with the package, `schemas/` and `themes/`, in a wheel and in a checkout alike."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder called `name` ("schemas" or "themes").

    In a wheel it lies inside the package, in a checkout beside it.
    """
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
