"""Puts the examples of the rules together: only the steps are written out, the rest of a board is the same for all."""

from __future__ import annotations


def board(steps: str, head: str = "") -> str:
    """The text of a board with these steps; `head` holds further members of the board, each with its comma."""
    return f'{{"circuit": 1, "name": "Example", {head}"steps": [\n{steps.strip()}\n]}}\n'
