"""What takes more than one statement: each operation asks for statements one at a time, and whoever drives it has
a transaction around it and hands the rows back. It knows no database and waits for nothing by itself."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, TypeVar

from circuit_export.store.base import KEPT_VERSIONS, NEW, BoardHead, Content, Info, Pruned, first_revision
from circuit_export.store.rows import HEAD, Row, Values, from_content, to_head

T = TypeVar("T")


class Statement(NamedTuple):
    """One SQL statement; its values are named `:name` in it."""

    sql: str
    values: Values


Operation = Generator[Statement, list[Row], T]

_ADD_BOARD = f"""
INSERT INTO circuit_board ({HEAD}, saved_at, source)
VALUES (:workspace, :id, :format, :facts, :status, :schedule, 1, :revision, :at, :at, '', :at, :source)
ON CONFLICT DO NOTHING RETURNING {HEAD}
"""  # noqa: S608 - no value is in it
# The compare-and-set itself comes first: it locks the row, and what it returns is what is about to be replaced.
_CLAIM_BOARD = """
UPDATE circuit_board SET revision = revision + 1
WHERE workspace = :workspace AND id = :id AND revision = :expected RETURNING version, saved_at, source
"""
_KEEP_VERSION = """
INSERT INTO circuit_version (workspace, board_id, version, saved_at, source)
VALUES (:workspace, :id, :version, :saved_at, :source)
"""
_FORGET_VERSIONS = """
DELETE FROM circuit_version WHERE workspace = :workspace AND board_id = :id AND version < :oldest
"""
_CHANGE_BOARD = f"""
UPDATE circuit_board SET format = :format, facts = :facts, status = :status, schedule = :schedule, source = :source,
    version = :version, saved_at = :saved_at, updated_at = :at
WHERE workspace = :workspace AND id = :id RETURNING {HEAD}
"""  # noqa: S608
_DELETE_BOARD = """
DELETE FROM circuit_board WHERE workspace = :workspace AND id = :id AND revision = :expected RETURNING id
"""
_DELETE_VERSIONS = "DELETE FROM circuit_version WHERE workspace = :workspace AND board_id = :id"
_ADD_RUN = """
INSERT INTO circuit_run
    (workspace, id, workflow_id, status, mode, started_at, ended_at, awaiting, revision, record)
VALUES (:workspace, :id, :workflow_id, :status, :mode, :started_at, :ended_at, :awaiting, 1, :record)
ON CONFLICT DO NOTHING RETURNING revision
"""
_FIRED = """
UPDATE circuit_board SET last_run_at = :started_at
WHERE workspace = :workspace AND id = :workflow_id AND last_run_at < :started_at
"""

# What a prune takes away: the table, and which of its rows.
_OLD = "CASE WHEN ended_at = '' THEN started_at ELSE ended_at END < :before"
_ENDED = f"status IN ('succeeded', 'cancelled') AND {_OLD}"
_UNFINISHED = f"({_ENDED}) OR (status NOT IN ('succeeded', 'cancelled') AND started_at < :before)"
_EXPIRED = "(expires_at <> '' AND expires_at <= :now) OR family IN (SELECT family FROM circuit_revoked)"


def put_board(
    workspace: str, board_id: str, content: Content, *, expected: int, at: str, minor: bool
) -> Operation[BoardHead | None]:
    """As `Store.put_board`."""
    key: Values = {"workspace": workspace, "id": board_id}
    values = {**key, **from_content(content), "at": at}
    if expected == NEW:
        added = yield Statement(_ADD_BOARD, {**values, "revision": first_revision(at)})
        return to_head(added[0]) if added else None
    claimed = yield Statement(_CLAIM_BOARD, {**key, "expected": expected})
    if not claimed:
        return None
    version, saved_at, source = claimed[0]
    if source != content.text and not minor:
        yield Statement(_KEEP_VERSION, {**key, "version": version, "saved_at": saved_at, "source": source})
        version, saved_at = version + 1, at
        yield Statement(_FORGET_VERSIONS, {**key, "oldest": version - KEPT_VERSIONS})
    changed = yield Statement(_CHANGE_BOARD, {**values, "version": version, "saved_at": saved_at})
    return to_head(changed[0])


def delete_board(workspace: str, board_id: str, *, expected: int) -> Operation[bool]:
    """As `Store.delete_board`."""
    deleted = yield Statement(_DELETE_BOARD, {"workspace": workspace, "id": board_id, "expected": expected})
    if deleted:
        yield Statement(_DELETE_VERSIONS, {"workspace": workspace, "id": board_id})
    return bool(deleted)


def add_run(values: Values, *, fired: bool) -> Operation[int | None]:
    """As `Store.add_run`; `values` are those of the run's row."""
    added = yield Statement(_ADD_RUN, values)
    if added and fired:
        yield Statement(_FIRED, {name: values[name] for name in ("workspace", "workflow_id", "started_at")})
    return int(added[0][0]) if added else None


def prune(*, before: str, now: str, unfinished: bool, dry: bool) -> Operation[Pruned]:
    """As `Store.prune`."""
    values: Values = {"before": before, "now": now}
    counts: list[int] = []
    for table, which in (
        ("circuit_run", _UNFINISHED if unfinished else _ENDED),
        ("circuit_tally", "until_at <= :now"),
        ("circuit_grant", _EXPIRED),
    ):
        rows = yield Statement(f"SELECT count(*) FROM {table} WHERE {which}", values)  # noqa: S608 - only names
        counts.append(rows[0][0])
        if counts[-1] and not dry:
            yield Statement(f"DELETE FROM {table} WHERE {which}", values)  # noqa: S608
    if not dry:
        yield Statement("DELETE FROM circuit_revoked WHERE until_at <= :now", values)
    return Pruned(*counts)


_COUNTS = """
SELECT (SELECT count(*) FROM (SELECT workspace FROM circuit_board UNION SELECT workspace FROM circuit_run
                              UNION SELECT workspace FROM circuit_binding) AS named),
       (SELECT count(*) FROM circuit_board),
       (SELECT count(*) FROM circuit_board) + (SELECT count(*) FROM circuit_version),
       (SELECT count(*) FROM circuit_run)
"""


def info(kind: str, place: str, schema: int, size: str) -> Operation[Info]:
    """As `Store.info`; `size` is the statement that says how many bytes the store takes."""
    ((workspaces, boards, versions, runs),) = yield Statement(_COUNTS, {})
    ((taken,),) = yield Statement(size, {})
    return Info(kind, place, schema, workspaces, boards, versions, runs, int(taken or 0))
