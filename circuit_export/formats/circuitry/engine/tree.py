"""The order-free tree of a trace: what ran in which generation and what came of it, whatever came first.

Times, ordinals and the arrival order of concurrent calls are left out, so runs with the same outcomes have the same
tree. Messages of failures are free text, so every text that is one is replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from circuit_export.formats.circuitry.engine.state import Record

MESSAGE: Final = "<message>"


class _Home:
    """An invocation of a program: its generations so far. A call after a result begins the next one."""

    def __init__(self) -> None:
        self.generations: list[list[dict[str, Any]]] = []
        self.settled = True


def tree(records: Iterable[Record]) -> dict[str, Any]:
    """The tree of a whole trace, or of as much of it as there is (then it says `unfinished`)."""
    listed = list(records)
    messages: set[str] = set()
    for record in listed[1:]:
        _collect(record, messages)
    header, *rest = [_without(record, messages) for record in listed]
    found = {"input": header["input"]} if "input" in header else {}
    end, root = _walk(rest, header["source"])
    return {**found, "generations": root.generations, **end}


def _walk(records: list[Record], source: str) -> tuple[dict[str, Any], _Home]:
    root = _Home()
    texts = {0: source}
    calls: dict[int, tuple[dict[str, Any], _Home]] = {}  # what is said of a call, and where it runs
    inside: dict[int, _Home] = {}
    for ordinal, record in enumerate(records, 1):
        if "call" in record:
            calls[ordinal] = _called(record, ordinal, texts, _home(record, root, calls, inside))
        elif "yield" in record:
            calls[record["yield"]][0]["yields"].append(record["value"])
        elif record["result"] == 0:
            return {key: record[key] for key in ("error", "output") if key in record}, root
        else:
            node, home = calls[record["result"]]
            node.update({key: record[key] for key in ("error", "bindings") if key in record})
            home.settled = True
    return {"unfinished": True}, root


def _home(
    record: Record, root: _Home, calls: dict[int, tuple[dict[str, Any], _Home]], inside: dict[int, _Home]
) -> _Home:
    if "parent" not in record:
        return root
    parent = record["parent"]
    if parent not in inside:
        inside[parent] = _Home()
        calls[parent][0]["nested"] = inside[parent].generations
    return inside[parent]


def _called(record: Record, ordinal: int, texts: dict[int, str], home: _Home) -> tuple[dict[str, Any], _Home]:
    if home.settled:
        home.generations.append([])
        home.settled = False
    node: dict[str, Any] = {"call": record["call"], "yields": []}
    if "source" in record:
        source = record["source"]
        if isinstance(source, str):
            texts[ordinal] = source
        node["source"] = source if isinstance(source, str) else texts[source]
    home.generations[-1].append(node)
    return node, home


def _collect(value: Any, messages: set[str]) -> None:
    if isinstance(value, dict):
        if isinstance(value.get("code"), str) and isinstance(value.get("message"), str):
            messages.add(value["message"])
        for item in value.values():
            _collect(item, messages)
    elif isinstance(value, list):
        for item in value:
            _collect(item, messages)


def _without(value: Any, messages: set[str]) -> Any:
    if isinstance(value, str):
        return MESSAGE if value in messages else value
    if isinstance(value, list):
        return [_without(item, messages) for item in value]
    if isinstance(value, dict):
        return {key: _without(item, messages) for key, item in value.items()}
    return value
