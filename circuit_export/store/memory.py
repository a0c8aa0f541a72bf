"""Keeps everything in memory, for tests and for trying things out: it is gone with the process."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any, NamedTuple

from circuit_export.runs.record import ENDED, Run
from circuit_export.store.base import (
    ARMED,
    KEPT_VERSIONS,
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
    StoreError,
    Version,
    check_names,
    check_text,
    first_revision,
    run_head,
)

Key = tuple[str, str]
"""A workspace and an id in it; of a grant its kind and key."""


class _Run(NamedTuple):
    head: RunHead
    revision: int
    text: str


class MemoryStore:
    """A store in this process alone. Threads may share it."""

    kind = "memory"
    durable = False

    def __init__(self) -> None:
        self._lock = Lock()
        self._boards: dict[Key, StoredBoard] = {}
        self._versions: dict[Key, list[Version]] = {}  # the present one last
        self._runs: dict[Key, _Run] = {}
        self._bindings: dict[str, Binding] = {}
        self._tallies: dict[Key, tuple[int, str]] = {}  # how often, and until when that counts
        self._grants: dict[Key, Grant] = {}
        self._revoked: dict[str, str] = {}  # family → until when it must be remembered

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def ping(self) -> None:
        pass

    # --- boards

    async def list_boards(self, workspace: str) -> list[BoardHead]:
        with self._lock:
            heads = [board.head for board in self._boards.values() if board.head.workspace == workspace]
        heads.sort(key=lambda head: head.id)
        return sorted(heads, key=lambda head: head.updated_at, reverse=True)

    async def armed_boards(self) -> list[BoardHead]:
        with self._lock:
            return [board.head for _, board in sorted(self._boards.items()) if board.head.status == ARMED]

    async def get_board(self, workspace: str, board_id: str) -> StoredBoard | None:
        return self._boards.get((workspace, board_id))

    async def put_board(
        self, workspace: str, board_id: str, content: Content, *, expected: int, at: str, minor: bool = False
    ) -> BoardHead | None:
        check_names(workspace, board_id)
        check_text(content.text)
        key = (workspace, board_id)
        with self._lock:
            old = self._boards.get(key)
            if (old.head.revision if old else NEW) != expected:
                return None
            changed = old is None or (old.text != content.text and not minor)
            head = BoardHead(
                workspace,
                board_id,
                content.format,
                content.facts,
                content.status,
                content.schedule,
                version=(old.head.version if old else 0) + changed,
                revision=old.head.revision + 1 if old else first_revision(at),
                created_at=old.head.created_at if old else at,
                updated_at=at,
                last_run_at=old.head.last_run_at if old else "",
            )
            versions = self._versions.setdefault(key, [])
            saved_at = at if changed else versions.pop().saved_at
            versions.append(Version(head.version, saved_at, content.text))
            del versions[: -KEPT_VERSIONS - 1]
            self._boards[key] = StoredBoard(head, content.text)
            return head

    async def delete_board(self, workspace: str, board_id: str, *, expected: int) -> bool:
        with self._lock:
            board = self._boards.get((workspace, board_id))
            if board is None or board.head.revision != expected:
                return False
            del self._boards[workspace, board_id], self._versions[workspace, board_id]
            return True

    async def list_versions(self, workspace: str, board_id: str) -> list[Version]:
        with self._lock:
            return self._versions.get((workspace, board_id), [])[::-1]

    async def get_version(self, workspace: str, board_id: str, version: int) -> Version | None:
        versions = await self.list_versions(workspace, board_id)
        return next((kept for kept in versions if kept.version == version), None)

    # --- runs

    async def add_run(self, workspace: str, run: Run, *, fired: bool = False) -> int | None:
        head, text = run_head(run), json.dumps(run)
        check_names(workspace, head.id, head.workflow_id)
        with self._lock:
            if (workspace, head.id) in self._runs:
                return None
            self._runs[workspace, head.id] = _Run(head, 1, text)
            board = self._boards.get((workspace, head.workflow_id))
            if fired and board is not None:
                last = max(board.head.last_run_at, head.started_at)
                self._boards[workspace, head.workflow_id] = board._replace(head=board.head._replace(last_run_at=last))
            return 1

    async def get_run(self, workspace: str, run_id: str, *, known: int = NEW) -> StoredRun | None:
        kept = self._runs.get((workspace, run_id))
        if kept is not None and kept.revision == known:
            return StoredRun({}, known)
        return StoredRun(json.loads(kept.text), kept.revision) if kept else None

    async def save_run(self, workspace: str, run: Run, *, expected: int, text: str = "") -> int | None:
        head, text = run_head(run), text or json.dumps(run)
        with self._lock:
            kept = self._runs.get((workspace, head.id))
            if kept is None or kept.revision != expected:
                return None
            self._runs[workspace, head.id] = _Run(head, expected + 1, text)
            return expected + 1

    async def list_runs(self, workspace: str, workflow_id: str | None = None, limit: int = 20) -> list[RunHead]:
        with self._lock:
            heads = [
                kept.head
                for (owner, _), kept in reversed(self._runs.items())  # of two started at once the later one first
                if owner == workspace and workflow_id in (None, kept.head.workflow_id)
            ]
        return sorted(heads, key=lambda head: head.started_at, reverse=True)[: max(limit, 0)]

    # --- bindings

    async def put_binding(self, workspace: str, binding: Binding) -> None:
        check_names(workspace)
        self._bindings[workspace] = binding

    async def get_binding(self, workspace: str) -> Binding | None:
        return self._bindings.get(workspace)

    # --- keys

    async def tally(self, workspace: str, key: str, *, now: str, until: str) -> int:
        check_names(workspace, key)
        with self._lock:
            count, ends = self._tallies.get((workspace, key), (0, ""))
            count, ends = (count + 1, ends) if ends > now else (1, until)
            self._tallies[workspace, key] = (count, ends)
            return count

    async def once(self, workspace: str, key: str, *, now: str, until: str) -> bool:
        return await self.tally(workspace, key, now=now, until=until) == 1

    # --- sign-in

    async def add_grant(self, grant: Grant) -> bool:
        check_names(grant.kind, grant.key)
        with self._lock:
            if (grant.kind, grant.key) in self._grants or grant.family in self._revoked:
                return False
            self._grants[grant.kind, grant.key] = grant._replace(value=_copy(grant.value))
            return True

    async def get_grant(self, kind: str, key: str, *, now: str) -> Grant | None:
        grant = self._grants.get((kind, key))
        if grant is None or grant.family in self._revoked or "" < grant.expires_at <= now:
            return None
        return grant._replace(value=_copy(grant.value))

    async def use_grant(self, kind: str, key: str, *, now: str) -> Grant | None:
        with self._lock:
            grant = await self.get_grant(kind, key, now=now)
            if grant is None or grant.used_at:
                return None
            self._grants[kind, key] = grant._replace(used_at=now)
            return grant._replace(used_at=now)

    async def drop_grant(self, kind: str, key: str) -> bool:
        with self._lock:
            return self._grants.pop((kind, key), None) is not None

    async def revoke_family(self, family: str, *, until: str) -> None:
        check_names(family)
        with self._lock:
            self._revoked[family] = max(until, self._revoked.get(family, ""))

    # --- keeping house

    async def info(self) -> Info:
        with self._lock:
            owners = {owner for owner, _ in (*self._boards, *self._runs)} | set(self._bindings)
            versions = sum(map(len, self._versions.values()))
            return Info("memory", "this process", 0, len(owners), len(self._boards), versions, len(self._runs), 0)

    async def prune(self, *, before: str, now: str, unfinished: bool = False, dry: bool = False) -> Pruned:
        with self._lock:
            runs = [key for key, kept in self._runs.items() if _is_old(kept.head, before, unfinished)]
            keys = [key for key, (_, ends) in self._tallies.items() if ends <= now]
            families = [family for family, until in self._revoked.items() if until <= now]
            grants = [
                key
                for key, grant in self._grants.items()
                if "" < grant.expires_at <= now or grant.family in self._revoked
            ]
            if not dry:
                _drop(self._runs, runs)
                _drop(self._tallies, keys)
                _drop(self._grants, grants)
                _drop(self._revoked, families)
            return Pruned(len(runs), len(keys), len(grants))

    async def backup(self, target: str) -> None:
        raise StoreError("There is nothing to copy: this store is in memory", hint="name a store that is kept")


def _is_old(head: RunHead, before: str, unfinished: bool) -> bool:
    if head.status in ENDED:
        return (head.ended_at or head.started_at) < before
    return unfinished and head.started_at < before


def _copy(value: dict[str, Any]) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(value))
    return copied


def _drop(kept: dict[Any, Any], keys: list[Any]) -> None:
    for key in keys:
        del kept[key]
