"""Placeholders: `${steps.ID.output}` in a node's input, found, and replaced by what earlier nodes gave in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from circuit_export.diagnostics import escape_pointer
from circuit_export.runs.templates import text_of

OPENS = "${steps."
_TAIL = ".output"


class Placeholder(NamedTuple):
    """A candidate in a string: `id` is the node it names, None when it is malformed; `start` and `end` are where."""

    start: int
    end: int
    id: str | None


class Use(NamedTuple):
    """A placeholder in a node's input; `pointer` leads to its string, `part` is the stretch of it."""

    pointer: str
    text: str
    part: tuple[int, int]
    id: str | None


class Refused(NamedTuple):
    """Why an input cannot be made: the node that it names, and `failed`, `no-output`, `never-run`, `malformed` …"""

    node: str
    why: str
    pointer: str

    def __str__(self) -> str:
        return f"{self.node}:{self.why}"


def placeholders(text: str) -> list[Placeholder]:
    """The candidates in a text, in order: from each `${steps.` to the next `}`. One that never closes is ordinary."""
    found = []
    start = text.find(OPENS)
    while start >= 0:
        end = text.find("}", start)
        if end < 0:
            break
        found.append(Placeholder(start, end + 1, _id_in(text[start + len(OPENS) : end])))
        start = text.find(OPENS, end)
    return found


def _id_in(inner: str) -> str | None:
    """The id in what stands between `${steps.` and `}`, None when that is no `ID.output`."""
    id, dot, rest = inner.partition(".")
    return id if id and dot + rest == _TAIL else None


def uses(value: Any, pointer: str = "", *, nested: bool = True) -> Iterator[Use]:
    """Every placeholder in the string values of a JSON value, at any depth, in document order; keys never count.

    Without `nested` only the direct members of an object count, as for the public application.
    """
    if not nested:
        value = _direct(value)
    waiting: list[tuple[str, Any]] = [(pointer, value)]
    while waiting:
        where, item = waiting.pop()
        if type(item) is str:
            if OPENS in item:
                for start, end, id in placeholders(item):
                    yield Use(where, item[start:end], (start, end), id)
        elif type(item) is dict:
            waiting += [(f"{where}/{escape_pointer(key)}", member) for key, member in reversed(item.items())]
        elif type(item) is list:
            waiting += [(f"{where}/{index}", item[index]) for index in range(len(item) - 1, -1, -1)]


def ids(value: Any) -> tuple[str, ...]:
    """The ids that the placeholders in a JSON value name, each once, in document order."""
    found: dict[str, None] = {}
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is str:
            if OPENS in item:
                found.update((id, None) for _, _, id in placeholders(item) if id is not None)
        elif type(item) is dict:
            waiting += reversed(item.values())
        elif type(item) is list:
            waiting += reversed(item)
    return tuple(found)


def _direct(value: Any) -> Any:
    """The texts among the direct members of an object; what else there is has nothing to look for."""
    members = value.items() if isinstance(value, dict) else ()
    return {key: member for key, member in members if isinstance(member, str)}


def substitute(
    given: Mapping[str, Any], results: Mapping[str, Any], *, nested: bool = True
) -> dict[str, Any] | Refused:
    """An input with its placeholders replaced, or why it is refused; neither argument is changed.

    `results` holds, by node id, what each node that ran reported (`status`, `output`). A string that is exactly one
    placeholder becomes the value itself, any other a text. What was put in is never looked through again. Without
    `nested` only texts that are direct members of the input are filled in.
    """
    for use in uses(given, nested=nested):
        why = _unavailable(use.id, results)
        if why:
            return Refused(use.id if use.id is not None else use.text, why, use.pointer)
    if not nested:
        filled = {key: _filled(item, results) for key, item in _direct(given).items()}
        return {**given, **filled}
    made: dict[str, Any] = {}
    waiting: list[tuple[Any, Any]] = [(given, made)]
    while waiting:
        source, target = waiting.pop()
        if isinstance(source, list):
            target += [_replaced(item, results, waiting) for item in source]
        else:
            for key, item in source.items():
                target[key] = _replaced(item, results, waiting)
    return made


def _unavailable(id: str | None, results: Mapping[str, Any]) -> str:
    if id is None:
        return "malformed"
    result = results.get(id)
    if result is None:
        return "never-run"
    if result["status"] != "success":
        return str(result["status"])
    return "" if "output" in result else "no-output"


def _replaced(item: Any, results: Mapping[str, Any], waiting: list[tuple[Any, Any]]) -> Any:
    if isinstance(item, str):
        return _filled(item, results) if OPENS in item else item
    if isinstance(item, dict | list) and item:
        copy: Any = {} if isinstance(item, dict) else []
        waiting.append((item, copy))
        return copy
    return item


def _filled(text: str, results: Mapping[str, Any]) -> Any:
    found = placeholders(text)
    if len(found) == 1 and found[0].end - found[0].start == len(text):
        return results[str(found[0].id)]["output"]
    pieces = []
    at = 0
    for start, end, id in found:
        pieces += [text[at:start], _as_text(results[str(id)]["output"])]
        at = end
    return "".join((*pieces, text[at:]))


def _as_text(value: Any) -> str:
    """A value inside a longer text: null by its name, objects and lists as compact JSON."""
    return "null" if value is None else text_of(value)
