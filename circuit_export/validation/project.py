"""The files to check with what is around them: the settings that hold, the tools there are, the workflows that call."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circuit_export import formats
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.formats.base import Document, Need, Surroundings
from circuit_export.formats.calls import gather
from circuit_export.formats.ground import Ground, definition_at
from circuit_export.formats.roots import root_of
from circuit_export.validation import config, discovery
from circuit_export.validation.discovery import Candidate, Skipped, shown_path
from circuit_export.validation.pages import read_page
from circuit_export.validation.reading import SCENARIOS, Read, as_finding, decode, read

if TYPE_CHECKING:
    from circuit_export.definition import Definition
    from circuit_export.validation.cache import Cache
    from circuit_export.validation.config import Settings
    from circuit_export.validation.report import Request


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that is read of a project before anything in it is judged."""

    settings: Settings
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]
    tools: tuple[str, ...] | None
    request: Request
    reads: dict[str, list[Read]] = field(default_factory=dict)


def remember(one: Read, data: bytes, tools: tuple[str, ...] | None, cache: Cache) -> None:
    """Notes that a workflow has no findings, if that follows from its own text and the tools there are alone."""
    document = one.document
    if document is None:
        return
    kind = formats.get(document.definition.format)
    if not kind.reads_around and not kind.needs(document):
        cache.add("clean", *_mark(data, tools))


def _mark(data: bytes, tools: tuple[str, ...] | None) -> tuple[str | bytes, ...]:
    return (data, "no binding") if tools is None else (data, "binding", *tools)


def open_project(request: Request, cache: Cache | None = None) -> Project:
    """Finds the files that a request means and reads them. Raises UsageError for wrong settings or paths.

    Files that `cache` knows to be clean are not read, unless something is to be done with them.
    """
    start = request.paths[0] if request.paths else Path.cwd()
    settings = config.read(request.config) if request.config is not None else config.find(start)
    tools = _tools(request, settings)
    found: dict[Path, Candidate] = {}
    skipped: list[Skipped] = []
    reads: dict[str, list[Read]] = {}
    for path in request.paths:
        if path.is_dir():
            candidates, passed = discovery.in_folder(path, settings)
            skipped += passed
            for candidate in candidates:
                found.setdefault(candidate.path, candidate)
        else:
            candidate, unread = _file(path, settings)
            if unread is None and request.skip_others and discovery.is_somebody_elses(candidate):
                skipped.append(Skipped(candidate.name, discovery.NO_WORKFLOW))
            elif unread is None:
                found[candidate.path] = candidate
            else:
                reads[candidate.name] = [unread]
    known = cache if cache is not None and not (request.fix or request.diff) else None
    for candidate in sorted(found.values(), key=lambda candidate: candidate.name):
        if known is not None and known.has("clean", *_mark(candidate.data, tools)):
            reads[candidate.name] = [Read(candidate.name, "", clean=True)]
            continue
        read_here = read_candidate(candidate.data, candidate.name)
        if (request.skip_others or not candidate.named) and _is_somebody_elses(read_here):
            skipped.append(Skipped(candidate.name, discovery.NO_WORKFLOW))
        else:
            reads[candidate.name] = read_here
    listed = tuple(candidate for candidate in found.values() if candidate.name in reads)
    project = Project(settings, listed, tuple(skipped), tools, request, reads)
    for source in request.sources:
        project.reads[source.name] = read_candidate(source.data, source.name)
    return project


def _is_somebody_elses(reads: list[Read]) -> bool:
    """Whether a file that nobody named only holds the word that a workflow holds, and is JSON of another kind."""
    return [found.code for one in reads for found in one.findings] == ["C004"]


def read_candidate(data: bytes, name: str) -> list[Read]:
    """What a file holds: one workflow, or those in it when it is a page or a note."""
    if name.endswith(SCENARIOS):
        return [_scenarios(data, name)]
    alone = read(data, name)
    if alone.document is None and alone.value is None and not _is_json(data, name):
        inside = read_page(data, name)
        # A page may be in any encoding; a workflow's own file is UTF-8, or what runs it may not read it.
        is_own = bool(inside) and inside[0].whole and any(found.code == "C002" for found in alone.findings)
        return [alone] if is_own or not inside else inside
    return [alone]


def _is_json(data: bytes, name: str) -> bool:
    """Whether a file is to be JSON, so that what is wrong with it is to be said instead of searched."""
    return name.endswith(".json") or data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def _scenarios(data: bytes, name: str) -> Read:
    """A file of scenarios: JSON, whose shape is looked at."""
    from circuit_export.formats import json_text

    raw, wrong = decode(data, name)
    text = raw.replace("\r\n", "\n").replace("\r", "\n")
    if wrong is not None:
        return Read(name, text, findings=(wrong,))
    try:
        return Read(name, text, value=json_text.parse(text).value)
    except CircuitError as error:
        return Read(name, text, findings=(as_finding(error, "C001", "not-json", name),))


def _file(path: Path, settings: Settings) -> tuple[Candidate, Read | None]:
    """A file that was named; one that is there and cannot be read is a finding. Raises UsageError for none."""
    where = path.absolute()
    name = shown_path(where, settings.root)
    try:
        return Candidate(where, name, discovery.read_named(path), named=True), None
    except (FileNotFoundError, ValueError):
        raise UsageError("There is no such file or folder", file=str(path).replace("\0", "�")) from None
    except OSError as error:
        wrong = CircuitError(f"The file cannot be read: {error.strerror}")
        finding = as_finding(wrong, "C006", "unreadable", name)
        return Candidate(where, name, b"", named=True), Read(name, "", findings=(finding,))


def _tools(request: Request, settings: Settings) -> tuple[str, ...] | None:
    """The names of the tools there are, None when nobody said. Raises UsageError for a file that does not say it."""
    if request.tools is None and settings.tools is None:
        return None
    from circuit_export.formats import json_text

    file = request.tools if request.tools is not None else settings.root / str(settings.tools)
    try:
        value = json_text.parse(file.read_text("utf-8-sig")).value
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"The list of tools cannot be read: {reason}", file=str(file)) from None
    except CircuitError as error:
        raise UsageError(error.message, file=str(file), position=error.position, found=error.found) from None
    names = tool_names(value)
    if names is None:
        expected = 'a list of names or of {"name": …}, or an object with such a list as “tools”'
        raise UsageError("The file does not list tools", file=str(file), expected=expected)
    return names


def tool_names(binding: Any) -> tuple[str, ...] | None:
    """The names in a list of tools: of names or of `{name, hint?}`, or an object with one as `tools`; else None."""
    items = binding.get("tools") if isinstance(binding, Mapping) else binding
    if not isinstance(items, list):
        return None
    names = [item.get("name") if isinstance(item, Mapping) else item for item in items]
    texts = tuple(name for name in names if isinstance(name, str))
    return texts if len(texts) == len(names) else None


ById = dict[str, Document]


class Workflows:
    """The workflows that can be called, by id, from the files of a project and, when they name others, beside them.

    A workflow calls others of its own format, so they are kept apart by that.
    """

    def __init__(self, project: Project) -> None:
        self._settings = project.settings
        self._tools = project.tools
        self._request = project.request
        self._roots: dict[Path, Path | None] = {}
        self._folders: dict[tuple[Path, str], ById] = {}
        self._all: dict[str, ById] = {}
        self._looked_into: set[Path] = set()
        self._unread: list[Candidate] = []
        for candidate in project.candidates:
            if project.reads[candidate.name][0].clean:
                self._unread.append(candidate)
            documents = [one.document for one in project.reads[candidate.name] if one.document is not None]
            self._take(documents, candidate.path.parent)
        for id, path in project.settings.workflows.items():
            document = _load(project.settings.root / path, project.settings.root)
            if document is not None:
                self._every(document.definition.format)[id] = document

    def _every(self, format: str) -> ById:
        return self._all.setdefault(format, {})

    def _take(self, documents: Iterable[Document], folder: Path) -> None:
        for document in documents:
            format = document.definition.format
            self._folders.setdefault((folder, format), {}).setdefault(document.id, document)
            self._every(format).setdefault(document.id, document)

    def around(self, document: Document | None, folder: Path | None, bundled: Iterable[Document] = ()) -> Surroundings:
        """What is around a workflow: those in its own folder come before others of the same id."""
        known: ById = {}
        for other in bundled:
            known |= {other.definition.path: other, other.id: other}
        request = self._request
        rest = (self._tools, self._root(folder), request.profile, request.allow_cycles)
        if folder is None:
            return Surroundings(known or None, *rest)
        format = document.definition.format if document is not None else ""
        every = self._every(format)
        if document is not None and any(id not in every for id in self._called(document)):
            self._look_into(folder)
        ground = None if bundled else self._ground(folder)
        if document is not None and ground is not None:
            known |= at_paths(document, ground)
        here = self._folders.get((folder, format), {})
        return Surroundings(ChainMap(known, dict(here), every), *rest, ground)

    def _ground(self, folder: Path) -> Ground:
        """Where the paths of a file in `folder` start, and the project that they may not leave."""
        settings = self._settings
        root = self._request.root or (settings.root if settings.file is not None else self._root(folder))
        return Ground(settings.root, root or folder)

    def _root(self, folder: Path | None) -> Path | None:
        """The folder of the repository that a file in `folder` belongs to."""
        if self._request.root is not None or folder is None:
            return self._request.root
        if folder not in self._roots:
            self._roots[folder] = root_of(folder / "file")
        return self._roots[folder]

    def _called(self, document: Document) -> set[str]:
        """The ids that a workflow calls, and those that they call in turn."""
        every = self._every(document.definition.format)
        seen: set[str] = set()
        waiting = [document]
        while waiting:
            caller = waiting.pop()
            for need in formats.get(caller.definition.format).needs(caller):
                if need.id and need.id not in seen:
                    seen.add(need.id)
                    if need.id in every:
                        waiting.append(every[need.id])
        return seen

    def _look_into(self, folder: Path) -> None:
        """Reads what is beside a file that calls something unknown, and the project when it has settings."""
        for candidate in self._unread:
            found = read(candidate.data, candidate.name).document
            if found is not None:
                self._take([found], candidate.path.parent)
        self._unread = []
        folders = [folder, self._settings.root] if self._settings.file is not None else [folder]
        for place in folders:
            if place in self._looked_into:
                continue
            self._looked_into.add(place)
            if place == self._settings.root and self._settings.file is not None:
                for candidate in discovery.in_folder(place, self._settings).candidates:
                    found = read(candidate.data, candidate.name).document
                    if found is not None:
                        self._take([found], candidate.path.parent)
            else:
                files = sorted(place.iterdir()) if place.is_dir() else []
                self._take((found for file in files if (found := _load(file, place)) is not None), place)


def at_paths(document: Document, ground: Ground) -> dict[str, Document]:
    """The documents that a workflow calls by their paths, and those that they call in turn, by path."""

    def lookup(need: Need, caller: Definition) -> Definition | None:
        return definition_at(need.path, caller.format, ground) if need.path else None

    if not any(need.path for need in formats.get(document.definition.format).needs(document)):
        return {}
    return gather(document, lookup).documents


def _load(file: Path, root: Path) -> Document | None:
    """The workflow that a file below `root` is; None when it is none, or one that has findings of its own."""
    if file.suffix not in formats.suffixes() or file.name.endswith(SCENARIOS):
        return None
    try:
        if discovery.leads_out(file, root) or not file.is_file() or file.stat().st_size > discovery.SIZE_LIMIT:
            return None
        return read(file.read_bytes(), file.name).document
    except OSError:
        return None
