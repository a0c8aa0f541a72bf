"""The tables that SQLite and Postgres keep, and how those of an earlier version become those of this one."""

from __future__ import annotations

from typing import Final, NamedTuple


class Dialect(NamedTuple):
    """What differs between two databases in a definition of tables: texts compared by code point, and row numbers."""

    text: str
    number: str


SQLITE: Final = Dialect(text="TEXT", number="INTEGER PRIMARY KEY AUTOINCREMENT")
POSTGRES: Final = Dialect(text='TEXT COLLATE "C"', number="BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")

# What an entry says is never changed once it was published: stores were made by it. A change is one more entry.
MIGRATIONS: Final = (
    (  # 1: boards, their earlier versions, runs, bindings, once-only keys
        """CREATE TABLE circuit_board (
            workspace {text} NOT NULL, id {text} NOT NULL, format {text} NOT NULL, facts {text} NOT NULL,
            status {text} NOT NULL, schedule {text} NOT NULL, version BIGINT NOT NULL, revision BIGINT NOT NULL,
            created_at {text} NOT NULL, updated_at {text} NOT NULL, saved_at {text} NOT NULL,
            last_run_at {text} NOT NULL, source {text} NOT NULL, PRIMARY KEY (workspace, id)
        )""",
        "CREATE INDEX circuit_board_changed ON circuit_board (workspace, updated_at)",
        "CREATE INDEX circuit_board_armed ON circuit_board (workspace, id) WHERE status = 'armed'",
        """CREATE TABLE circuit_version (
            workspace {text} NOT NULL, board_id {text} NOT NULL, version BIGINT NOT NULL,
            saved_at {text} NOT NULL, source {text} NOT NULL, PRIMARY KEY (workspace, board_id, version)
        )""",
        """CREATE TABLE circuit_run (
            seq {number}, workspace {text} NOT NULL, id {text} NOT NULL, workflow_id {text} NOT NULL,
            status {text} NOT NULL, mode {text} NOT NULL, started_at {text} NOT NULL, ended_at {text} NOT NULL,
            awaiting {text} NOT NULL, revision BIGINT NOT NULL, record {text} NOT NULL, UNIQUE (workspace, id)
        )""",
        "CREATE INDEX circuit_run_started ON circuit_run (workspace, started_at, seq)",
        "CREATE INDEX circuit_run_board ON circuit_run (workspace, workflow_id, started_at, seq)",
        """CREATE TABLE circuit_binding (
            workspace {text} NOT NULL PRIMARY KEY, bound_at {text} NOT NULL, tools {text} NOT NULL
        )""",
        """CREATE TABLE circuit_tally (
            workspace {text} NOT NULL, name {text} NOT NULL, told BIGINT NOT NULL, until_at {text} NOT NULL,
            PRIMARY KEY (workspace, name)
        )""",
        "CREATE INDEX circuit_tally_until ON circuit_tally (until_at)",
    ),
    (  # 2: what signing in hands out
        """CREATE TABLE circuit_grant (
            kind {text} NOT NULL, name {text} NOT NULL, value {text} NOT NULL, expires_at {text} NOT NULL,
            family {text} NOT NULL, used_at {text} NOT NULL, PRIMARY KEY (kind, name)
        )""",
        "CREATE INDEX circuit_grant_expires ON circuit_grant (expires_at)",
        "CREATE TABLE circuit_revoked (family {text} NOT NULL PRIMARY KEY, until_at {text} NOT NULL)",
    ),
)

CURRENT: Final = len(MIGRATIONS)
"""The version of the tables that this program works with."""


def statements(version: int, dialect: Dialect) -> list[str]:
    """What turns the tables of the version before into those of `version` (from 1)."""
    return [statement.format_map(dialect._asdict()) for statement in MIGRATIONS[version - 1]]
