"""A run as a golden holds it: the order-free tree of its trace, one fact a line."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.values import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from circuit_export.formats.circuitry.engine.state import Record

_ODD = re.compile("^$|^ | $|[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LONGEST: Final = 400
"""Characters of a value that are told; a longer one is cut and told by its hash, so that no change is missed."""


def telling(records: Iterable[Record], paths: Mapping[str, str]) -> tuple[str, ...]:
    """The lines of a run; `paths` says which programs are called by their files, by their texts."""
    return tuple(_program(tree(records), paths, ""))


def _program(told: Mapping[str, Any], paths: Mapping[str, str], indent: str) -> Iterator[str]:
    if "input" in told:
        yield f"{indent}input {_value(told['input'])}"
    yield from _generations(told["generations"], paths, indent)
    if told.get("unfinished"):
        yield f"{indent}unfinished"
    for key in ("output", "error"):
        if key in told:
            yield f"{indent}{key} {_value(told[key])}"


def _generations(generations: Iterable[Any], paths: Mapping[str, str], indent: str) -> Iterator[str]:
    for number, calls in enumerate(generations, 1):
        yield f"{indent}generation {number}"
        for call in calls:
            yield from _call(call, paths, f"{indent}  ")


def _call(call: Mapping[str, Any], paths: Mapping[str, str], indent: str) -> Iterator[str]:
    source = call.get("source")
    runs = "" if source is None else f" runs {paths[source] if source in paths else _value(source)}"
    name = call["call"]
    yield f"{indent}call {canonical(name) if _ODD.search(name) else name}{runs}"
    yield from _generations(call.get("nested", ()), paths, f"{indent}  ")
    for value in call["yields"]:
        yield f"{indent}  gives {_value(value)}"
    if "error" in call:
        yield f"{indent}  {'handles' if 'bindings' in call else 'fails with'} {_value(call['error'])}"
    if "bindings" in call:
        yield f"{indent}  binds {_value(call['bindings'])}"


def _value(value: Any) -> str:
    text = canonical(value)
    if len(text) <= LONGEST:
        return text
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:LONGEST]}… ({len(text):,} characters, SHA-256 {digest[:16]})"
