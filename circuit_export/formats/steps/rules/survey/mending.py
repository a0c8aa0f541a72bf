"""Fixes for what the loader says of a board: the loader only reads, so it offers none itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, pointer_tokens
from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.formats.wording import find_near, respelled

if TYPE_CHECKING:
    from circuit_export.formats.steps.document import StepsDocument


def mended(board: StepsDocument, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings, those of the loader with their fixes."""
    return [_mended(board, one) if one.fix is None and one.code in _FIXES else one for one in found]


def _mended(board: StepsDocument, found: Diagnostic) -> Diagnostic:
    fix = _FIXES[found.code](board, found)
    key = found.code in ("C103", "C104")
    return found._replace(fix=fix, key=key) if fix is not None or key else found


def _step_type(board: StepsDocument, found: Diagnostic) -> Fix | None:
    place = Place(found.pointer)
    return respelled(find_near(str(_at(board.value, found.pointer)), list(CATALOG)), place)


def _entry(board: StepsDocument, found: Diagnostic) -> Fix | None:
    return respelled(find_near(str(board.value.get("entry")), list(board.by_id)), Place(found.pointer))


def _misplaced(board: StepsDocument, found: Diagnostic) -> Fix | None:
    """Moving a setting into the config that it belongs in, if none of its name is there."""
    tokens = pointer_tokens(found.pointer)
    if len(tokens) != 3:
        return None
    name, step = tokens[2], board.value["steps"][int(tokens[1])]
    config = step.get("config")
    if not isinstance(config, dict) or name in config:
        return None
    taken = Edit(Action.REMOVE, Place(found.pointer))
    put = Edit(Action.INSERT, Place(f"/steps/{tokens[1]}/config"), step[name], name)
    return Fix(f"move “{name}” into “config”", (taken, put), safe=True)


def _unknown_key(board: StepsDocument, found: Diagnostic) -> Fix | None:
    """Writing the key that the loader says was meant, if the object has none of that name."""
    meant = re.fullmatch("did you mean “(.+)”\\?", found.hint)
    owner = _at(board.value, found.pointer.rpartition("/")[0])
    if meant is None or not isinstance(owner, dict) or meant[1] in owner:
        return None
    return Fix(f"write “{meant[1]}”", (Edit(Action.REPLACE, Place(found.pointer, key=True), meant[1]),))


_FIXES = {"C102": _step_type, "C103": _unknown_key, "C104": _misplaced, "C204": _entry}


def _at(value: Any, pointer: str) -> Any:
    for token in pointer_tokens(pointer):
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value
