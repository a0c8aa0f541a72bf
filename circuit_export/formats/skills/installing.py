"""Unpacks a bundle into a repository: first a plan that says what would happen, then only what was agreed to."""

from __future__ import annotations

import contextlib
import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import CircuitError
from circuit_export.formats import json_text
from circuit_export.formats.roots import root_trouble
from circuit_export.formats.skills.document import dump
from circuit_export.formats.skills.front_matter import read_card, split
from circuit_export.formats.skills.paths import is_slug
from circuit_export.formats.skills.repository import LARGEST, Trouble, Unread, read_skill

if TYPE_CHECKING:
    from circuit_export.formats.skills.bundle import Bundle
    from circuit_export.formats.skills.front_matter import SkillCard

WORKFLOWS = ".circuit/workflows"
LONGEST_ID = 200
"""Characters of a graph's id at most: with its suffix it is a file's name."""
TIMES = ("createdAt", "updatedAt")


class State(StrEnum):
    """What is at a file's place already."""

    NEW = "new"
    SAME = "same"
    DIFFERS = "differs"
    """Another text: it is kept unless the caller says to overwrite it."""


class Planned(NamedTuple):
    """A file that a bundle brings. `path` is below the root; `card` is a skill's, which an agent will obey."""

    path: str
    text: str
    state: State
    card: SkillCard | None = None
    is_damaged: bool = False

    @property
    def is_skill(self) -> bool:
        return self.card is not None

    @property
    def front_matter(self) -> str:
        """The block that a skill introduces itself with, as it stands there; "" when it has none."""
        return split(self.text.removeprefix("\ufeff"))[0] or ""


class Installation(NamedTuple):
    """What a bundle would do to a repository; nothing has happened yet."""

    root: Path
    workflow: Planned
    skills: tuple[Planned, ...]
    notes: tuple[str, ...] = ()

    @property
    def conflicts(self) -> tuple[Planned, ...]:
        """The files that are there with another text."""
        return tuple(item for item in (self.workflow, *self.skills) if item.state is State.DIFFERS)


def installation(
    bundle: Bundle, root: Path, repository_id: str, now: str, *, workflow_id: str | None = None
) -> Installation:
    """What unpacking a bundle into the repository at `root` would do.

    The graph gets a new id (`workflow_id`, else its own, with a number when that is taken), the id of this repository,
    and `now` as both its times. Raises CircuitError for a root that is none, an id that no file can be named by, or a
    place that is not inside the root.
    """
    trouble = root_trouble(root)
    if trouble:
        raise CircuitError(f"The repository's folder {trouble}", found=str(root), hint="name the folder with --root")
    notes: list[str] = []
    id = _free_id(bundle, root, repository_id, now, workflow_id, notes)
    skills = tuple(
        Planned(
            skill.file,
            skill.content,
            _state(root, skill.file, skill.content),
            read_card(skill.content, skill.file.split("/")[-2]),
            not skill.is_whole,
        )
        for skill in bundle.skills
    )
    path = f"{WORKFLOWS}/{id}.json"
    text = _graph(bundle, id, repository_id, now)
    return Installation(root, Planned(path, text, _graph_state(root, path, text)), skills, tuple(notes))


def _graph(bundle: Bundle, id: str, repository_id: str, now: str) -> str:
    new = {"id": id, "repositoryId": repository_id, **dict.fromkeys(TIMES, now)}
    return dump({**bundle.document.value, **new}) + "\n"


def _graph_state(root: Path, path: str, text: str) -> State:
    """What is at a graph's place: the same graph is the same, whenever it was unpacked there."""
    state = _state(root, path, text)
    if state is not State.DIFFERS:
        return state
    there = read_skill(root, path, limit=max(LARGEST, 4 * len(text)))
    if isinstance(there, Unread):
        return state
    return State.SAME if _timeless(there) == _timeless(text) else state


def _timeless(text: str) -> Any:
    """A graph's value without when it was made; its text when it is none."""
    try:
        value = json_text.parse(text.removeprefix("\ufeff")).value
    except CircuitError:
        return text
    return {key: item for key, item in value.items() if key not in TIMES} if isinstance(value, dict) else text


def _free_id(bundle: Bundle, root: Path, repository_id: str, now: str, wanted: str | None, notes: list[str]) -> str:
    """The id that the graph gets: one under which nothing else is stored."""
    own = bundle.document.id
    id = wanted if wanted is not None else own
    from circuit_export.restore.paths import refusal

    if not is_slug(id) or len(id) > LONGEST_ID or refusal(f"{id}.json"):
        raise CircuitError(
            "The graph's id cannot be a file's name",
            found=f"“{id[:60]}”",
            expected="letters, digits, “-” and “_”",
            hint="give it another id",
        )
    if wanted is not None:
        return id
    number = 1
    while _graph_state(root, f"{WORKFLOWS}/{id}.json", _graph(bundle, id, repository_id, now)) is State.DIFFERS:
        number += 1
        id = f"{own}-{number}"
    if id != own:
        notes.append(f"There is a graph “{own}” already, so this one becomes “{id}”.")
    return id


def _state(root: Path, path: str, text: str) -> State:
    """What is at a place; what cannot be read there counts as another text. Raises CircuitError outside the root."""
    found = read_skill(root, path, limit=max(LARGEST, 4 * len(text)))
    if isinstance(found, Unread):
        _check_inside(root, path)
        return State.NEW if found.trouble is Trouble.NOT_FOUND and not _exists(root, path) else State.DIFFERS
    return State.SAME if found == text else State.DIFFERS


def _exists(root: Path, path: str) -> bool:
    return os.path.lexists(root / path)


def _check_inside(root: Path, path: str) -> None:
    """Raises CircuitError when a folder on the way to `path` is a link that leads out of the root."""
    base = Path(os.path.realpath(root))
    real = Path(os.path.realpath(base / path))
    if not real.is_relative_to(base):
        raise CircuitError(
            "A place in the repository leads out of it by a link", file=path, hint="remove the link, then import again"
        )


def install(plan: Installation, *, overwrite: bool = False, with_damaged: bool = False) -> tuple[str, ...]:
    """Writes what is new, and with `overwrite` what differs; returns the paths written, the graph last.

    Skills whose text does not fit its hash are left out unless `with_damaged`. Each file is written whole or not at
    all. Raises CircuitError when one cannot be written.
    """
    written: list[str] = []
    for item in (*plan.skills, plan.workflow):
        if item.state is State.SAME or (item.state is State.DIFFERS and not overwrite):
            continue
        if item.is_damaged and not with_damaged:
            continue
        try:
            _write(plan.root, item)
        except CircuitError as error:
            if written:
                error.hint = "; ".join(filter(None, (error.hint, f"already written: {', '.join(written)}")))
            raise
        written.append(item.path)
    return tuple(written)


def _write(root: Path, item: Planned) -> None:
    _check_inside(root, item.path)
    target = root / item.path
    # A name that nobody else has, and none that a long one could outgrow.
    beside = target.with_name(f".{target.name[:40]}.{os.urandom(6).hex()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("xb") as stream:
                stream.write(item.text.encode("utf-8"))
            beside.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise CircuitError(f"The file cannot be written: {error.strerror or error}", file=item.path) from None
    except UnicodeEncodeError:
        raise CircuitError("The file cannot be written: it holds half a character", file=item.path) from None
