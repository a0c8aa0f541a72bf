"""What a format may offer besides: its workflows live in a repository and name files there, skills that agents obey.

`formats.get(name)` is an `InRepository` or is not; nobody has to ask which format it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from pathlib import Path

    from circuit_export.formats.base import Document


class Skill(Protocol):
    """A skill that lies in a repository. `file` is its POSIX path below the root."""

    @property
    def provider(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def hint(self) -> str:
        """What it wants to be given, such as `<topic>`; "" for nothing."""

    @property
    def file(self) -> str: ...

    @property
    def description(self) -> str: ...

    def record(self) -> dict[str, Any]:
        """The skill as JSON."""


class Unread(Protocol):
    """Why a file was not read; `why` is the end of a sentence that begins with its path."""

    @property
    def trouble(self) -> str: ...

    @property
    def why(self) -> str: ...


class Skills(Protocol):
    """The skills of a repository, in order, and the files that could not be read."""

    @property
    def skills(self) -> Sequence[Skill]: ...

    @property
    def unread(self) -> Sequence[tuple[str, Unread]]: ...


class Packed(NamedTuple):
    """A bundle written, and the files that are not in it, each with why (the end of a sentence)."""

    text: str
    left_out: tuple[tuple[str, str], ...]


class Planned(Protocol):
    """A file that a bundle brings, at a path below the root."""

    @property
    def path(self) -> str: ...

    @property
    def state(self) -> str:
        """What is at its place: nothing ("new"), the same text ("same"), or another one ("differs")."""

    @property
    def front_matter(self) -> str:
        """What a skill says of itself, as it stands there; "" for nothing."""

    @property
    def is_damaged(self) -> bool: ...


class Plan(Protocol):
    """What a bundle would do to a repository; nothing has happened yet."""

    @property
    def workflow(self) -> Planned: ...

    @property
    def skills(self) -> Sequence[Planned]: ...

    @property
    def notes(self) -> Sequence[str]: ...

    @property
    def conflicts(self) -> Sequence[Planned]:
        """The files that are there with another text."""


class Unpacking(NamedTuple):
    """How a bundle is unpacked: into which repository, at what time, and under which ids ("" is the usual one)."""

    root: Path
    at: str
    repository_id: str = ""
    workflow_id: str | None = None


@runtime_checkable
class InRepository(Protocol):
    """A format whose workflows live in a repository and name skills in it."""

    def furnish(self, document: Any, root: Path) -> Document:
        """The document with what its skills' files, below the repository's `root`, say of themselves."""

    def discover(self, root: Path, *, compat: bool = False) -> Skills:
        """The skills of a repository; with `compat` read as the public application does. Never raises."""

    def pack(self, document: Any, root: Path, exported_at: str) -> Packed:
        """The bundle of a workflow with the skills that it names. Raises CircuitError."""

    def is_bundle(self, text: str) -> bool:
        """Is a text one of its bundles? Cheap, and never raises."""

    def plan(self, text: str, file: str, how: Unpacking) -> Plan:
        """What unpacking a bundle would do. Raises CircuitError for what is none, or unsafe."""

    def install(self, plan: Any, *, overwrite: bool = False) -> tuple[str, ...]:
        """Does what is planned, whole or not at all a file; the paths that were written. Raises CircuitError."""
