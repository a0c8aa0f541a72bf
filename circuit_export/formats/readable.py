"""What a page can show: a picture with U+FFFD for every lone surrogate, which only an escape in JSON can bring."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from circuit_export.board.model import Board

_SURROGATE = re.compile("[\ud800-\udfff]")


def readable(board: Board, text: str) -> Board:
    """The board of a definition with this `text`; it is gone through only when the text has such an escape."""
    if "\\ud" not in text.lower():
        return board
    shown: Board = _shown(board)
    return shown


def _shown(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Enum):
        return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, tuple):
        items = [_shown(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value
