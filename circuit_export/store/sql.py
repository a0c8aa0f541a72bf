"""What SQLite and Postgres have in common: all of the contract but how a statement is sent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from circuit_export.runs.record import Run
from circuit_export.store import operations
from circuit_export.store.base import (
    NEW,
    Binding,
    BoardHead,
    Content,
    Grant,
    Info,
    Pruned,
    RunHead,
    StoredBoard,
    StoredRun,
    Version,
    check_names,
    check_text,
    fits,
    is_revision,
)
from circuit_export.store.operations import Operation
from circuit_export.store.rows import (
    GRANT,
    HEAD,
    RUN_HEAD,
    Row,
    Values,
    from_binding,
    from_grant,
    from_run,
    to_binding,
    to_board,
    to_grant,
    to_head,
    to_run,
    to_run_head,
    to_version,
)
from circuit_export.store.schema import CURRENT

T = TypeVar("T")

# The names of columns and tables are put together here; no value ever is: those are `:name` in the statements.
_BOARDS = f"SELECT {HEAD} FROM circuit_board WHERE workspace = :workspace ORDER BY updated_at DESC, id"  # noqa: S608
_ARMED = f"SELECT {HEAD} FROM circuit_board WHERE status = 'armed' ORDER BY workspace, id"  # noqa: S608
_BOARD = f"SELECT {HEAD}, source FROM circuit_board WHERE workspace = :workspace AND id = :id"  # noqa: S608
_VERSIONS = """
SELECT version, saved_at, source FROM circuit_board WHERE workspace = :workspace AND id = :id
UNION ALL
SELECT version, saved_at, source FROM circuit_version WHERE workspace = :workspace AND board_id = :id
ORDER BY version DESC
"""
_VERSION = """
SELECT version, saved_at, source FROM circuit_board
WHERE workspace = :workspace AND id = :id AND version = :version
UNION ALL
SELECT version, saved_at, source FROM circuit_version
WHERE workspace = :workspace AND board_id = :id AND version = :version
"""
_RUN = """
SELECT CASE WHEN revision = :known THEN '{}' ELSE record END, revision FROM circuit_run
WHERE workspace = :workspace AND id = :id
"""
_SAVE_RUN = """
UPDATE circuit_run SET status = :status, ended_at = :ended_at, awaiting = :awaiting, record = :record,
    revision = revision + 1
WHERE workspace = :workspace AND id = :id AND revision = :expected RETURNING revision
"""
_NEWEST = "ORDER BY started_at DESC, seq DESC LIMIT :limit"
_RUNS = f"SELECT {RUN_HEAD} FROM circuit_run WHERE workspace = :workspace {_NEWEST}"  # noqa: S608
_RUNS_OF = f"""
SELECT {RUN_HEAD} FROM circuit_run WHERE workspace = :workspace AND workflow_id = :workflow_id {_NEWEST}
"""  # noqa: S608
_PUT_BINDING = """
INSERT INTO circuit_binding (workspace, bound_at, tools) VALUES (:workspace, :bound_at, :tools)
ON CONFLICT (workspace) DO UPDATE SET bound_at = excluded.bound_at, tools = excluded.tools
"""
_BINDING = "SELECT bound_at, tools FROM circuit_binding WHERE workspace = :workspace"
_TALLY = """
INSERT INTO circuit_tally (workspace, name, told, until_at) VALUES (:workspace, :name, 1, :until)
ON CONFLICT (workspace, name) DO UPDATE SET
    told = CASE WHEN circuit_tally.until_at > :now THEN circuit_tally.told + 1 ELSE 1 END,
    until_at = CASE WHEN circuit_tally.until_at > :now THEN circuit_tally.until_at ELSE excluded.until_at END
RETURNING told
"""
_REVOKED = "EXISTS (SELECT 1 FROM circuit_revoked WHERE circuit_revoked.family = circuit_grant.family)"
_GOOD = f"(expires_at = '' OR expires_at > :now) AND NOT {_REVOKED}"
_ADD_GRANT = f"""
INSERT INTO circuit_grant ({GRANT})
SELECT :kind, :name, :value, :expires_at, :family, :used_at
WHERE NOT EXISTS (SELECT 1 FROM circuit_revoked WHERE family = :family)
ON CONFLICT DO NOTHING RETURNING name
"""  # noqa: S608
_GRANT = f"SELECT {GRANT} FROM circuit_grant WHERE kind = :kind AND name = :name AND {_GOOD}"  # noqa: S608
_USE_GRANT = f"""
UPDATE circuit_grant SET used_at = :now
WHERE kind = :kind AND name = :name AND used_at = '' AND {_GOOD} RETURNING {GRANT}
"""  # noqa: S608
_DROP_GRANT = "DELETE FROM circuit_grant WHERE kind = :kind AND name = :name RETURNING name"
_REVOKE = """
INSERT INTO circuit_revoked (family, until_at) VALUES (:family, :until)
ON CONFLICT (family) DO UPDATE SET until_at =
    CASE WHEN circuit_revoked.until_at < excluded.until_at THEN excluded.until_at ELSE circuit_revoked.until_at END
"""


class SqlStore(ABC):
    """The contract in SQL. How a statement is sent and a transaction kept is left to the database's own store."""

    kind: str
    durable = True
    place: str
    """The store's name for people, without credentials."""
    size_sql: str
    """The statement that says how many bytes the store takes."""

    @abstractmethod
    async def _ask(self, sql: str, values: Values) -> list[Row]:
        """Sends one statement, which stands alone; its rows."""

    @abstractmethod
    async def _do(self, operation: Operation[T]) -> T:
        """Drives an operation within one transaction that may write."""

    async def ping(self) -> None:
        await self._ask("SELECT 1", {})

    # --- boards

    async def list_boards(self, workspace: str) -> list[BoardHead]:
        if not fits(workspace):
            return []
        return [to_head(row) for row in await self._ask(_BOARDS, {"workspace": workspace})]

    async def armed_boards(self) -> list[BoardHead]:
        return [to_head(row) for row in await self._ask(_ARMED, {})]

    async def get_board(self, workspace: str, board_id: str) -> StoredBoard | None:
        if not fits(workspace, board_id):
            return None
        rows = await self._ask(_BOARD, {"workspace": workspace, "id": board_id})
        return to_board(rows[0]) if rows else None

    async def put_board(
        self, workspace: str, board_id: str, content: Content, *, expected: int, at: str, minor: bool = False
    ) -> BoardHead | None:
        check_names(workspace, board_id)
        check_text(content.text)
        if not is_revision(expected):
            return None
        return await self._do(operations.put_board(workspace, board_id, content, expected=expected, at=at, minor=minor))

    async def delete_board(self, workspace: str, board_id: str, *, expected: int) -> bool:
        if not fits(workspace, board_id) or not is_revision(expected):
            return False
        return await self._do(operations.delete_board(workspace, board_id, expected=expected))

    async def list_versions(self, workspace: str, board_id: str) -> list[Version]:
        if not fits(workspace, board_id):
            return []
        return [to_version(row) for row in await self._ask(_VERSIONS, {"workspace": workspace, "id": board_id})]

    async def get_version(self, workspace: str, board_id: str, version: int) -> Version | None:
        if not fits(workspace, board_id) or not 0 < version < 2**53:
            return None
        rows = await self._ask(_VERSION, {"workspace": workspace, "id": board_id, "version": version})
        return to_version(rows[0]) if rows else None

    # --- runs

    async def add_run(self, workspace: str, run: Run, *, fired: bool = False) -> int | None:
        values = {"workspace": workspace, **from_run(run)}
        check_names(workspace, run["id"], run["workflowId"])
        return await self._do(operations.add_run(values, fired=fired))

    async def get_run(self, workspace: str, run_id: str, *, known: int = NEW) -> StoredRun | None:
        if not fits(workspace, run_id):
            return None
        revision = known if is_revision(known) else NEW
        rows = await self._ask(_RUN, {"workspace": workspace, "id": run_id, "known": revision})
        return to_run(rows[0]) if rows else None

    async def save_run(self, workspace: str, run: Run, *, expected: int, text: str = "") -> int | None:
        if not fits(workspace, run["id"]) or not is_revision(expected):
            return None
        values = {"workspace": workspace, **from_run(run, text), "expected": expected}
        rows = await self._ask(_SAVE_RUN, values)
        return int(rows[0][0]) if rows else None

    async def list_runs(self, workspace: str, workflow_id: str | None = None, limit: int = 20) -> list[RunHead]:
        if not fits(workspace) or (workflow_id is not None and not fits(workflow_id)):
            return []
        values: Values = {"workspace": workspace, "limit": min(max(limit, 0), 2**31)}
        if workflow_id is None:
            rows = await self._ask(_RUNS, values)
        else:
            rows = await self._ask(_RUNS_OF, {**values, "workflow_id": workflow_id})
        return [to_run_head(row) for row in rows]

    # --- bindings

    async def put_binding(self, workspace: str, binding: Binding) -> None:
        check_names(workspace)
        await self._ask(_PUT_BINDING, {"workspace": workspace, **from_binding(binding)})

    async def get_binding(self, workspace: str) -> Binding | None:
        if not fits(workspace):
            return None
        rows = await self._ask(_BINDING, {"workspace": workspace})
        return to_binding(rows[0]) if rows else None

    # --- keys

    async def tally(self, workspace: str, key: str, *, now: str, until: str) -> int:
        check_names(workspace, key)
        rows = await self._ask(_TALLY, {"workspace": workspace, "name": key, "now": now, "until": until})
        return int(rows[0][0])

    async def once(self, workspace: str, key: str, *, now: str, until: str) -> bool:
        return await self.tally(workspace, key, now=now, until=until) == 1

    # --- sign-in

    async def add_grant(self, grant: Grant) -> bool:
        check_names(grant.kind, grant.key)
        return bool(await self._ask(_ADD_GRANT, from_grant(grant)))

    async def get_grant(self, kind: str, key: str, *, now: str) -> Grant | None:
        if not fits(kind, key):
            return None
        rows = await self._ask(_GRANT, {"kind": kind, "name": key, "now": now})
        return to_grant(rows[0]) if rows else None

    async def use_grant(self, kind: str, key: str, *, now: str) -> Grant | None:
        if not fits(kind, key):
            return None
        rows = await self._ask(_USE_GRANT, {"kind": kind, "name": key, "now": now})
        return to_grant(rows[0]) if rows else None

    async def drop_grant(self, kind: str, key: str) -> bool:
        return fits(kind, key) and bool(await self._ask(_DROP_GRANT, {"kind": kind, "name": key}))

    async def revoke_family(self, family: str, *, until: str) -> None:
        check_names(family)
        await self._ask(_REVOKE, {"family": family, "until": until})

    # --- keeping house

    async def info(self) -> Info:
        return await self._do(operations.info(self.kind, self.place, CURRENT, self.size_sql))

    async def prune(self, *, before: str, now: str, unfinished: bool = False, dry: bool = False) -> Pruned:
        return await self._do(operations.prune(before=before, now=now, unfinished=unfinished, dry=dry))
