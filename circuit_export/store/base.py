"""The contract of every store: boards with their versions, runs, bindings, once-only keys and sign-in grants.

Every method is a coroutine, because the server that uses it is: Postgres answers over a network, and a wait for it
must not hold up other clients. A store on this machine answers within tens of microseconds, less than handing the
question to a thread would take, so memory and SQLite answer at once and only ever suspend to wait for a lock.

A workspace sees nothing of another: all that is kept belongs to one, and an id of another workspace is unknown.
A store has no clock: times are handed in, as `stamp` writes them, so that their order as text is their order in time.
What can be lost to somebody else who was quicker is a compare-and-set: it names the revision that it was made from,
exactly one of those who name the same one wins, and the others are answered None and have changed nothing.
What a method has answered is kept: a process that is killed the moment after loses nothing.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, Protocol

from circuit_export.diagnostics import CircuitError
from circuit_export.runs.record import Run

DRAFT: Final = "draft"
ARMED: Final = "armed"

NEW: Final = 0
"""The revision to expect of what is not there yet."""

KEPT_VERSIONS: Final = 50
"""How many earlier versions of a board are kept."""

LONGEST_ID: Final = 200
"""Characters that an id, a key or the name of a workspace may have."""

_UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_NOWHERE = frozenset((".", ".."))  # in an address they mean something else
_SURROGATE = re.compile("[\ud800-\udfff]")


class StoreError(CircuitError):
    """A store that cannot be used as it is: not reachable, locked too long, damaged, or made by a later version."""


class Schedule(NamedTuple):
    """When an armed board runs: its cron line, and the task that somebody confirmed for it ("" for none)."""

    cron: str
    note: str = ""
    task_id: str = ""
    confirmed_at: str = ""


class Facts(NamedTuple):
    """What lists and checks want to know of a board without reading its text; whoever saves it says them.

    `tools` are the connector tools that its steps name, `calls` the ids of the workflows that it calls.
    """

    name: str
    description: str = ""
    steps: int = 0
    tools: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


class Content(NamedTuple):
    """What a caller decides about a board: its exact source text, its format, and its standing."""

    text: str
    format: str
    facts: Facts
    status: str = DRAFT
    schedule: Schedule | None = None


class BoardHead(NamedTuple):
    """All that is kept of a board but its text.

    `version` counts its texts from 1; `revision` grows with every change of anything and is what a compare-and-set
    expects (it starts anywhere, so that a board that was deleted and made anew has none of its old ones).
    `last_run_at` is when a run that counts was started, "" for never.
    """

    workspace: str
    id: str
    format: str
    facts: Facts
    status: str
    schedule: Schedule | None
    version: int
    revision: int
    created_at: str
    updated_at: str
    last_run_at: str = ""


class StoredBoard(NamedTuple):
    """A board as it is kept."""

    head: BoardHead
    text: str

    @property
    def content(self) -> Content:
        """What a caller decided about it, to change a part of and put back."""
        head = self.head
        return Content(self.text, head.format, head.facts, head.status, head.schedule)


class Version(NamedTuple):
    """One text of a board; `saved_at` is when it became the board's text."""

    version: int
    saved_at: str
    text: str


class RunHead(NamedTuple):
    """What a list of runs shows; `awaiting` is the step that it waits on, `ended_at` when it ended ("" for none)."""

    id: str
    workflow_id: str
    status: str
    mode: str
    started_at: str
    ended_at: str = ""
    awaiting: str = ""


class StoredRun(NamedTuple):
    """A run, plain JSON which nobody else holds, and the revision that a compare-and-set expects."""

    run: Run
    revision: int


class BoundTool(NamedTuple):
    """A connector tool that somebody has."""

    name: str
    hint: str = ""


class Binding(NamedTuple):
    """The connector tools that a workspace was last told of."""

    bound_at: str
    tools: tuple[BoundTool, ...]


class Grant(NamedTuple):
    """Something that signing in handed out: a client's registration, a code, a refresh token.

    `key` is a digest of the secret, never the secret. `value` is plain JSON. All that descends from one consent is
    one `family`. `expires_at` and `used_at` are "" for never.
    """

    kind: str
    key: str
    value: dict[str, Any]
    expires_at: str = ""
    family: str = ""
    used_at: str = ""


class Info(NamedTuple):
    """What is in a store; `place` names it without credentials, `size` is in bytes (0 when nobody can say)."""

    kind: str
    place: str
    schema: int
    workspaces: int
    boards: int
    versions: int
    runs: int
    size: int


class Pruned(NamedTuple):
    """How much a prune took away, or would."""

    runs: int
    keys: int
    grants: int


class Store(Protocol):
    """What keeps boards and their runs. Methods raise StoreError when the store cannot be used."""

    kind: str
    """"memory", "sqlite" or "postgres"."""

    durable: bool
    """Whether what is kept outlives the process."""

    async def open(self) -> None:
        """Makes it ready: connects, and brings its tables up to this version. The first use does it, too."""

    async def close(self) -> None:
        """Lets go of everything. Closing twice is fine."""

    async def ping(self) -> None:
        """Does nothing but fail with StoreError when the store does not answer."""

    # --- boards

    async def list_boards(self, workspace: str) -> list[BoardHead]:
        """The boards of a workspace, the last changed first."""

    async def armed_boards(self) -> list[BoardHead]:
        """The armed boards of all workspaces, by workspace and id."""

    async def get_board(self, workspace: str, board_id: str) -> StoredBoard | None: ...

    async def put_board(
        self, workspace: str, board_id: str, content: Content, *, expected: int, at: str, minor: bool = False
    ) -> BoardHead | None:
        """Saves a board if its revision is the `expected` one (NEW: if there is none); None when it is another.

        A changed text is a new version, and the one before it is kept; a `minor` change (chips were moved) is the
        same version with another text. When it was made and when it last ran stay as they are.
        Raises CircuitError for an id or a text that cannot be kept.
        """

    async def delete_board(self, workspace: str, board_id: str, *, expected: int) -> bool:
        """Deletes a board with its versions if its revision is the `expected` one. Its runs stay."""

    async def list_versions(self, workspace: str, board_id: str) -> list[Version]:
        """The versions of a board that are kept, the present one first."""

    async def get_version(self, workspace: str, board_id: str, version: int) -> Version | None:
        """One version of a board, the present one too; None when it is not kept."""

    # --- runs

    async def add_run(self, workspace: str, run: Run, *, fired: bool = False) -> int | None:
        """Keeps a run that was started; its revision, or None when its id is taken.

        `fired` says that it counts as proof that its board still runs: the board's `last_run_at` becomes its start.
        """

    async def get_run(self, workspace: str, run_id: str, *, known: int = NEW) -> StoredRun | None:
        """A run. One that still has the `known` revision, whose run the caller has, is an empty run with it."""

    async def save_run(self, workspace: str, run: Run, *, expected: int, text: str = "") -> int | None:
        """Saves a run that moved on if its revision is the `expected` one; the new revision, or None.

        `text` is the run as JSON in ASCII, from a caller who has it.
        """

    async def list_runs(self, workspace: str, workflow_id: str | None = None, limit: int = 20) -> list[RunHead]:
        """The runs of a workspace, or of one of its boards, the last started first."""

    # --- bindings

    async def put_binding(self, workspace: str, binding: Binding) -> None:
        """Replaces the binding of a workspace."""

    async def get_binding(self, workspace: str) -> Binding | None: ...

    # --- keys

    async def tally(self, workspace: str, key: str, *, now: str, until: str) -> int:
        """How many times a key was told, this time included, since its window began.

        The first time opens the window, which ends at `until`; of any number at once each is answered another number.
        """

    async def once(self, workspace: str, key: str, *, now: str, until: str) -> bool:
        """True for the first who tells a key, false for everybody after until its window ends."""

    # --- sign-in

    async def add_grant(self, grant: Grant) -> bool:
        """Keeps a grant; false when its key is taken or its family revoked."""

    async def get_grant(self, kind: str, key: str, *, now: str) -> Grant | None:
        """A grant, used or not; None when there is none, it has expired, or its family was revoked."""

    async def use_grant(self, kind: str, key: str, *, now: str) -> Grant | None:
        """A grant for the first who uses it; None as above, and for everybody after the first."""

    async def drop_grant(self, kind: str, key: str) -> bool:
        """Forgets a grant; false when there is none."""

    async def revoke_family(self, family: str, *, until: str) -> None:
        """Revokes all grants of a family, those too that are added until then."""

    # --- keeping house

    async def info(self) -> Info: ...

    async def prune(self, *, before: str, now: str, unfinished: bool = False, dry: bool = False) -> Pruned:
        """Forgets runs that ended before a time (`unfinished`: those started before it, too) and all that expired.

        With `before` "" no run is that old, and only what expired goes. `dry` only counts. Boards and their versions
        stay.
        """

    async def backup(self, target: str) -> None:
        """Writes a copy of the whole store to a new file while it is in use. Raises StoreError where it cannot."""


def stamp(time: datetime) -> str:
    """A time as stores keep it: UTC, milliseconds, always the same width. A time without a zone is UTC."""
    zoned = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    return zoned.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fits(*names: str) -> bool:
    """Can these be ids, keys or names of workspaces? What cannot is in no store."""
    return all(0 < len(name) <= LONGEST_ID and name not in _NOWHERE and not _UNFIT.search(name) for name in names)


def is_revision(number: int) -> bool:
    """Can anything have this revision?"""
    return 0 <= number < 2**63


def check_names(*names: str) -> None:
    """Raises CircuitError for what cannot be an id, a key or the name of a workspace."""
    for name in names:
        if not fits(name):
            raise CircuitError(
                "This cannot be the name of anything in a store",
                found=f"{len(name):,} characters" if len(name) > LONGEST_ID else repr(name),
                expected=f"1 to {LONGEST_ID} characters, none of them a control character, and neither . nor ..",
                hint="give it a shorter, plain id",
            )


def check_text(text: str) -> None:
    """Raises CircuitError for a text that is none in UTF-8, or that holds NUL, which no page can carry either."""
    unfit = next((character for character in ("\0", *_SURROGATE.findall(text)[:1]) if character in text), "")
    if unfit:
        raise CircuitError(
            "This text cannot be kept",
            found=f"{unfit!r} at character {text.index(unfit) + 1:,}",
            expected="text without NUL and without half a surrogate pair",
            hint="write it as an escape",
        )


def first_revision(at: str) -> int:
    """The revision that something made at a time starts with: its milliseconds, which never come back."""
    try:
        return int(datetime.fromisoformat(at).timestamp() * 1000)
    except ValueError:
        raise CircuitError("This is not a time as a store keeps it", found=at, expected="what `stamp` writes") from None


def run_head(run: Run) -> RunHead:
    """What a list of runs shows of a run."""
    awaiting = run.get("awaiting") or {}
    return RunHead(
        id=run["id"],
        workflow_id=run["workflowId"],
        status=run["status"],
        mode=run["mode"],
        started_at=run["startedAt"],
        ended_at=run.get("endedAt") or "",
        awaiting=awaiting.get("stepId", ""),
    )
