"""How records become the values of a row, and rows records again.

What comes from a workflow's own words (names, step ids) goes in as JSON, in ASCII: it may hold what a database's text
cannot, such as NUL.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from circuit_export.runs.record import Run
from circuit_export.store.base import (
    Binding,
    BoardHead,
    BoundTool,
    Content,
    Facts,
    Grant,
    RunHead,
    Schedule,
    StoredBoard,
    StoredRun,
    StoreError,
    Version,
    run_head,
)

T = TypeVar("T")
Row = tuple[Any, ...]
Values = dict[str, str | int]

HEAD = "workspace, id, format, facts, status, schedule, version, revision, created_at, updated_at, last_run_at"
"""The columns of a board's head, in the order of `BoardHead`."""

RUN_HEAD = "id, workflow_id, status, mode, started_at, ended_at, awaiting"
GRANT = "kind, name, value, expires_at, family, used_at"


def _from_row(to: Callable[[Row], T]) -> Callable[[Row], T]:
    """What reads a row, with a word for one that no version of this program has written."""

    @wraps(to)
    def read(row: Row) -> T:
        try:
            if bytes in map(type, row):
                raise TypeError
            return to(row)
        except (TypeError, ValueError):
            raise StoreError(
                "Something in the store cannot be read",
                hint="it is damaged, or another program wrote to it: put a backup in its place",
            ) from None

    return read


def _a(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError
    return value


def from_content(content: Content) -> Values:
    return {
        "source": content.text,
        "format": content.format,
        "facts": json.dumps(content.facts),
        "status": content.status,
        "schedule": json.dumps(content.schedule) if content.schedule else "",
    }


@_from_row
def to_head(row: Row) -> BoardHead:
    workspace, board_id, format, facts, status, schedule, *rest = row
    name, description, steps, tools, calls = json.loads(facts)
    return BoardHead(
        workspace,
        board_id,
        format,
        Facts(name, description, steps, tuple(tools), tuple(calls)),
        status,
        Schedule(*json.loads(schedule)) if schedule else None,
        *rest,
    )


@_from_row
def to_board(row: Row) -> StoredBoard:
    """From the columns of HEAD and then the text."""
    return StoredBoard(to_head(row[:-1]), row[-1])


def from_run(run: Run, text: str = "") -> Values:
    """The values of a run, whose JSON the caller may have already."""
    head = run_head(run)
    return {**head._asdict(), "awaiting": json.dumps(head.awaiting), "record": text or json.dumps(run)}


@_from_row
def to_run_head(row: Row) -> RunHead:
    run_id, workflow_id, status, mode, started_at, ended_at, awaiting = row
    return RunHead(run_id, workflow_id, status, mode, started_at, ended_at, _a(str, json.loads(awaiting)))


@_from_row
def to_run(row: Row) -> StoredRun:
    """From the record and its revision."""
    record, revision = row
    return StoredRun(_a(dict, json.loads(record)), _a(int, revision))


@_from_row
def to_version(row: Row) -> Version:
    number, saved_at, text = row
    return Version(_a(int, number), saved_at, text)


def from_binding(binding: Binding) -> Values:
    return {"bound_at": binding.bound_at, "tools": json.dumps(binding.tools)}


@_from_row
def to_binding(row: Row) -> Binding:
    bound_at, tools = row
    return Binding(bound_at, tuple(BoundTool(*tool) for tool in json.loads(tools)))


def from_grant(grant: Grant) -> Values:
    return {
        "kind": grant.kind,
        "name": grant.key,
        "value": json.dumps(grant.value),
        "expires_at": grant.expires_at,
        "family": grant.family,
        "used_at": grant.used_at,
    }


@_from_row
def to_grant(row: Row) -> Grant:
    kind, key, value, *rest = row
    return Grant(kind, key, _a(dict, json.loads(value)), *rest)
