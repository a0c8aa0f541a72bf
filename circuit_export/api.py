"""The library's front door: opens a source, finds what it calls, draws it, and takes it back out of what was drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import relpath
from typing import TYPE_CHECKING, NamedTuple

from circuit_export import formats
from circuit_export.definition import Bundle, Definition
from circuit_export.diagnostics import CircuitError, Diagnostic, UsageError
from circuit_export.formats.base import Document, Format, Need, Synopsis
from circuit_export.formats.calls import Lookup, gather

if TYPE_CHECKING:
    from os import PathLike

    from circuit_export.board.layout import Layout
    from circuit_export.board.model import Board, RunView
    from circuit_export.board.page import Card
    from circuit_export.board.routing import Drawing
    from circuit_export.board.theme import Theme
    from circuit_export.formats.ground import Ground
    from circuit_export.formats.performing import Performing
    from circuit_export.formats.repositories import InRepository, Packed, Plan, Skill, Unpacking, Unread
    from circuit_export.restore import Findings, Found
    from circuit_export.runs.machine import Machine
    from circuit_export.runs.record import Run
    from circuit_export.runs.scenario import Played
    from circuit_export.runs.shown import Shown
    from circuit_export.validation.config import Settings

DEFAULT_THEME = "copper"
FILE_LIMIT = 512 * 1024 * 1024
"""Bytes of a local file that are read at most; more is no workflow."""


class Workflow(NamedTuple):
    """A workflow that was opened: its document, and the documents it calls by what they are called by."""

    document: Document
    called: Mapping[str, Document]
    missing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """What there is to say about how it was found in its source."""

    @property
    def definition(self) -> Definition:
        return self.document.definition

    @property
    def format(self) -> Format:
        return formats.get(self.definition.format)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What the loader has to say of the document."""
        return self.document.notes

    @property
    def bundle(self) -> Bundle:
        """The definition with those of everything it calls."""
        return Bundle(self.definition, tuple(_bundled(self)))

    @property
    def synopsis(self) -> Synopsis:
        return self.format.synopsis(self.document)

    @property
    def performing(self) -> Performing | None:
        """Its format when runs of it are performed here, by starting commands; None when answers drive them."""
        from circuit_export.formats.performing import of_document

        return of_document(self.document)

    def engine(self, directives: int | None = None) -> Machine:
        """What runs it; a run may use `directives`, or the usual number of them."""
        return self.format.engine(self.document, self.called, directives)


def findings(workflow: Workflow) -> tuple[Diagnostic, ...]:
    """What the loader and the rules have to say of a workflow, with places, worst first.

    `circuit validate` says more: it knows the schema, the project and its connectors.
    """
    from circuit_export.formats.base import Surroundings
    from circuit_export.validation.check import quick_findings

    return tuple(quick_findings(workflow.document, Surroundings(workflow.called or None)))


class Picture(NamedTuple):
    """A workflow drawn: the board, its cells and its geometry in pixels."""

    board: Board
    layout: Layout
    drawing: Drawing


# --- opening -----------------------------------------------------------------------------------------------------


def load(path: str | PathLike[str], *, pick: int | None = None) -> Workflow:
    """Opens a file that is a definition, or holds one: an exported page, a Markdown note, a saved mail.

    What it calls is looked for beside it. Raises CircuitError when there is no workflow in it, or several and no
    `pick` (from 1) says which.
    """
    return open_source(read_source(str(path)), pick=pick)


def loads(source: str | bytes, *, path: str = "", pick: int | None = None) -> Workflow:
    """Opens a text or bytes as `load` opens a file; `path` is the name they go by, "" for none."""
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return open_source(Source(path or "<text>", data), pick=pick)


NO_SUCH_FILE = "There is no such file"


def read_file(path: Path) -> bytes:
    """The bytes of a file. Raises CircuitError, with what to do, when it cannot be read."""
    try:
        if path.is_dir():
            raise CircuitError("This is a folder, not a file", file=str(path), hint="name a file inside it")
        with path.open("rb") as stream:
            data = stream.read(FILE_LIMIT + 1)
    except CircuitError:
        raise
    except FileNotFoundError:
        raise CircuitError(NO_SUCH_FILE, file=str(path), hint="check the spelling and the folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CircuitError(f"The file cannot be read: {reason}", file=str(path).replace("\0", "�")) from None
    if len(data) > FILE_LIMIT:
        raise CircuitError("The file is too large to be a workflow", file=str(path), found=f"over {FILE_LIMIT:,} bytes")
    return data


def _plain(data: bytes, path: str) -> Definition | None:
    """The definition that `data` plainly is, without searching for one; None when it is something else."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    name = formats.recognise(text)
    return Definition(formats.get(name).normalise(text), name, path) if name else None


def opened(definition: Definition, lookup: Lookup) -> Workflow:
    """The workflow of a definition, with all that it calls as far as `lookup` finds it. Raises CircuitError."""
    try:
        document = formats.get(definition.format).load(definition)
    except CircuitError as error:
        raise error.located(definition.path) from None
    called = gather(document, lookup)
    return Workflow(document, called.documents, called.missing)


def from_found(found: Found, *, name: str = "") -> Workflow:
    """The workflow of what was restored, with the documents that were bundled with it."""
    main = found.bundle.main
    if main.format not in formats.NAMES:
        raise CircuitError(
            "The workflow is of a format that is not known here",
            found=main.format,
            expected=f"one of {', '.join(formats.NAMES)}",
            hint="a newer circuit-export may know it",
        )
    stem = PurePosixPath(name.replace("\\", "/")).stem
    if stem and not main.path:
        main = Definition(main.text, main.format, stem + formats.get(main.format).suffix(main.text))
    workflow = opened(main, bundle_lookup(found.bundle))
    return workflow._replace(remarks=tuple(_remarks(found)))


def _remarks(found: Found) -> Iterator[str]:
    """What was not as it should be where a definition was found."""
    if found.digest.value == "differs":
        yield "the definition was changed after its page was made: its digest differs"
    elif found.digest.value == "absent" and found.route[-1] != "the whole text":
        yield f"there is more in the source than the definition: it was found as {' → '.join(found.route)}"
    yield from found.notes


# --- what a workflow calls ---------------------------------------------------------------------------------------


def nowhere(need: Need, caller: Definition) -> Definition | None:
    """Finds nothing: for a text that stands alone."""
    return None


def bundle_lookup(bundle: Bundle) -> Lookup:
    """Finds what is called among the documents that ride in the same page."""

    @cache
    def by_id() -> dict[str, Definition]:
        found: dict[str, Definition] = {}
        for definition in bundle.others:
            found.setdefault(formats.get(definition.format).load(definition).id, definition)
        return found

    def lookup(need: Need, caller: Definition) -> Definition | None:
        if need.path:
            return next((other for other in bundle.others if other.path == need.path), None)
        return by_id().get(need.id)

    return lookup


def folder_lookup(folder: Path, root: Path | None = None) -> Lookup:
    """Finds what is called in `folder`: by the file's stem, else by the `id` in a file of it; or by its path from it.

    The folder is read once at most, when a file is first looked for by its id: who opens many files of a folder that
    stands still hands the same lookup to all of them. A link is followed only as far as the project's folder, and so
    is a path: `root` is that folder, the configured one or the repository around it if that is None.
    """

    @cache
    def project() -> tuple[Path, Mapping[str, Path]]:
        """Its root and the files that its configuration names by id; read only when something is called at all."""
        settings = settings_of(folder) if is_configured(folder) else None
        root = settings.root if settings else folder
        return root, {id: root / path for id, path in settings.workflows.items()} if settings else {}

    @cache
    def ground() -> Ground:
        from circuit_export.formats.ground import ground_of

        return ground_of(folder, root or (project()[0] if is_configured(folder) else None))

    @cache
    def by_id() -> dict[str, Definition]:
        found: dict[str, Definition] = {}
        for file in sorted(folder.iterdir()):
            definition = _definition_in(file, project()[0])
            if definition is not None:
                found.setdefault(formats.get(definition.format).load(definition).id, definition)
        return found

    def by_stem(name: str) -> Definition | None:
        """Spares reading the whole folder in the usual case."""
        if name != PurePosixPath(name).name or "\\" in name:
            return None
        for suffix in sorted(formats.suffixes()):
            definition = _definition_in(folder / (name + suffix), project()[0])
            if definition is not None and formats.get(definition.format).load(definition).id == name:
                return definition
        return None

    def lookup(need: Need, caller: Definition) -> Definition | None:
        root, configured = project()
        if need.path:
            from circuit_export.formats.ground import definition_at

            return definition_at(need.path, caller.format, ground())
        if need.id in configured:
            return _definition_in(configured[need.id], root)
        return by_stem(need.id) or by_id().get(need.id)

    return lookup


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _definition_in(file: Path, root: Path) -> Definition | None:
    """The definition that a file is; None when it is none, none that can be loaded, or leads out of `root`."""
    try:
        if file.suffix not in formats.suffixes() or not file.is_file() or not _is_inside(file, root):
            return None
        definition = _plain(read_file(file), file.name)
        if definition is not None:
            formats.get(definition.format).load(definition)
    except (CircuitError, OSError, ValueError):
        return None
    return definition


def _bundled(workflow: Workflow) -> list[Definition]:
    """The definitions of what a workflow calls, each with a path at which it is found again."""
    bundled = []
    for key, document in workflow.called.items():
        definition = document.definition
        path = definition.path
        if key not in (document.id, path) and "/" not in key:
            path = key + formats.get(definition.format).suffix(definition.text)
        bundled.append(Definition(definition.text, definition.format, path))
    return bundled


def not_brought(workflow: Workflow) -> tuple[str, ...]:
    """What its page holds and nobody can restore from it, in sentences: a page brings no hidden file, for one."""
    if not workflow.called:  # most call nothing, and start quicker without all of restoring
        return ()
    from circuit_export.restore.paths import unfit

    judged = ((definition.path, unfit(definition.path)) for definition in _bundled(workflow))
    return tuple(f"“{path}” cannot be restored from the page: {why}" for path, why in judged if why)


# --- drawing -----------------------------------------------------------------------------------------------------


def picture(workflow: Workflow) -> Picture:
    """Lays a workflow out and routes its wires."""
    from circuit_export.board.layout import layout
    from circuit_export.board.routing import route

    board = workflow.format.picture(workflow.document, workflow.called)
    cells = layout(board)
    return Picture(board, cells, route(board, cells))


def theme(name_or_folder: str = DEFAULT_THEME) -> Theme:
    """A theme by its name, or from a folder. Raises CircuitError when it is broken."""
    from circuit_export.board.theme import load_theme

    return _shipped(name_or_folder) if name_or_folder in theme_names() else load_theme(name_or_folder)


@cache
def _shipped(name: str) -> Theme:
    from circuit_export.board.theme import load_theme

    return load_theme(name)


@cache
def theme_names() -> tuple[str, ...]:
    """The themes that ship with the package."""
    from circuit_export.board.theme import theme_names as names

    return names()


def theme_shortfalls(theme: Theme) -> tuple[str, ...]:
    """What is too faint in a theme to be read by everybody, one sentence each."""
    from circuit_export.board.theme import shortfalls

    return shortfalls(theme)


def export_page(
    workflow: Workflow, *, theme: str = DEFAULT_THEME, drawn: Picture | None = None, run: RunView | None = None
) -> str:
    """The workflow as one self-contained HTML page, with a `run` on its board (see `show_run`) if one is given.

    Raises CircuitError for what a page cannot carry.
    """
    from circuit_export.board.page import render_page

    board, cells, drawing = drawn or picture(workflow)
    return render_page(board, workflow.bundle, _theme(theme), layout=cells, drawing=drawing, run=run)


def load_run(text: str, *, file: str = "") -> Run:
    """A run from the text that `circuit run --save` wrote. Raises CircuitError when it is none."""
    from circuit_export.runs.record import load

    return load(text, file)


def play_scenario(
    workflow: Workflow, scenarios: str, name: str, *, file: str = "", directives: int | None = None
) -> Played:
    """Plays the scenario called `name` of the text of a scenarios file. Raises CircuitError when there is none."""
    from circuit_export.runs import scenario_file
    from circuit_export.runs.scenario import play

    found = scenario_file.load(scenarios, file)
    for scenario in found:
        if scenario.name == name:
            return play(workflow.engine(directives), scenario)
    names = ", ".join(f"“{scenario.name}”" for scenario in found) or "none at all"
    raise CircuitError("There is no such scenario", file=file, found=f"“{name}”", expected=names)


def show_run(run: Run, drawn: Picture, *, about: str = "", redact: bool = False) -> Shown:
    """A run on the board of its workflow, and what of it could not be shown.

    `about` says what run it is; with `redact` every value in it is replaced by its shape. Raises CircuitError for a
    run of another workflow.
    """
    from circuit_export.runs.shown import shown

    return shown(run, drawn.board, about=about, redact=redact)


def export_svg(workflow: Workflow, *, theme: str = DEFAULT_THEME, drawn: Picture | None = None) -> str:
    """The board alone as a standalone SVG document."""
    from circuit_export.board.svg import render_svg

    board, cells, drawing = drawn or picture(workflow)
    return render_svg(board, cells, drawing, _theme(theme))


def export_mermaid(workflow: Workflow) -> str:
    """The board as a Mermaid flowchart."""
    from circuit_export.board.mermaid import mermaid

    return mermaid(workflow.format.picture(workflow.document, workflow.called))


def card(workflow: Workflow, drawn: Picture, link: str) -> Card:
    """The workflow's card in a gallery; `link` leads to its page."""
    from circuit_export.board.page import Card
    from circuit_export.board.svg import thumbnail_svg

    board = drawn.board
    name = board.name or workflow.document.id
    return Card(name, board.description, workflow.format.title, link, board.facts, thumbnail_svg(drawn.drawing))


_theme = theme

# --- restoring ---------------------------------------------------------------------------------------------------


def restore(
    source: str | bytes,
    *,
    pick: int | None = None,
    strict: bool = False,
    format: str | None = None,
    charset: str | None = None,
) -> Found:
    """The definition inside any text: a page however mangled, a paste, a saved mail, or the definition itself.

    Raises CircuitError when there is none, when there are several and no `pick` (from 1) says which, and, if
    `strict`, when the text is not what its page's digest says it was.
    """
    from circuit_export.restore import Digest, find, single

    limit = max(len(source), 25 * 1024 * 1024)
    recognise = formats.recognise if format is None else lambda text: formats.recognise_as(format, text)
    searched = find(source, recognise, charset=charset, limit=limit)
    found = _placed(single(searched if format is None else _of_format(searched, format), pick))
    if strict and found.digest is Digest.DIFFERS:
        raise CircuitError(
            "The definition was changed after the page was made",
            found=f"a text whose SHA-256 is {found.bundle.main.digest}",
            expected="the digest that the page names",
            hint="leave --strict out to take it as it is, or fetch the page anew",
        )
    return found


def _of_format(searched: Findings, format: str) -> Findings:
    """What was found of one format: a block says itself what it is, whatever is looked for."""
    from dataclasses import replace

    kept = tuple(one for one in searched.found if one.bundle.main.format == format)
    others = dict.fromkeys(one.bundle.main.format for one in searched.found if one not in kept)
    if kept or not others:
        return replace(searched, found=kept)
    return replace(searched, found=kept, looks_like=f"a workflow of another format ({', '.join(others)})")


def _placed(found: Found) -> Found:
    """What was found without what is no document by its file name: a page brings no `setup.sh`, whatever it says.

    The text of a block whose digest holds is taken as it is, so its name must be one that its format is written to.
    """
    from dataclasses import replace

    main, kept, notes = found.bundle.main, [], list(found.notes)
    for other in found.bundle.others:
        if _is_named_well(other):
            kept.append(other)
        else:
            notes.append(f"A bundled document was left out: no {other.format} document is called “{other.path}”")
    if main.path and not _is_named_well(main):
        notes.append(f"The workflow's own path was left out: no {main.format} document is called “{main.path}”")
        main = main._replace(path="")
    return replace(found, bundle=Bundle(main, tuple(kept)), notes=tuple(notes))


def _is_named_well(definition: Definition) -> bool:
    if definition.format not in formats.NAMES:
        return False
    return PurePosixPath(definition.path).suffix.lower() in formats.get(definition.format).suffixes


# --- sources -----------------------------------------------------------------------------------------------------


class Fetching(NamedTuple):
    """How a URL is read: at most `limit` bytes (decoded), `timeout` seconds and `redirects` hops."""

    limit: int = 25 * 1024 * 1024
    timeout: float = 10.0
    redirects: int = 5
    trust_env: bool = False


LIMITS = Fetching()
"""What holds for a URL unless told otherwise."""


class Source(NamedTuple):
    """What a source held: where it came from, its bytes, and the charset that a server named for them."""

    name: str
    data: bytes
    charset: str | None = None
    folder: Path | None = None
    notes: tuple[str, ...] = ()


_HOST = r"(?:(localhost|(?:\d{1,3}\.){3}\d{1,3})|(?:[\w-]+\.)+[a-z]{2,})(?::\d+)?/"
"""Such as `localhost:8000/` or `example.com/`."""


def is_url(source: str) -> bool:
    """Is it a link rather than a path? (`C:\\…` is a path.)"""
    scheme, colon, rest = source.partition(":")
    return (
        bool(colon)
        and len(scheme) > 1
        and scheme.isascii()
        and scheme.isalpha()
        and (rest.startswith("//") or scheme.lower() == "data")
    )


def read_source(source: str, *, stdin: bytes = b"", fetching: Fetching = LIMITS) -> Source:
    """Reads a path, a URL or `-` (which is `stdin`). Raises CircuitError when it cannot be read."""
    if source == "-":
        return Source("<stdin>", stdin)
    if is_url(source) and not source.lower().startswith("data:"):
        from circuit_export.restore.fetch import fetch

        fetched = fetch(source, **fetching._asdict())
        return Source(fetched.url, fetched.data, fetched.charset, notes=fetched.notes)
    if is_url(source):
        return Source("<data: URL>", source.encode("utf-8", "surrogateescape"))
    try:
        return Source(source, read_file(Path(source)), folder=Path(source).parent)
    except CircuitError as error:
        host = re.match(_HOST, source, re.IGNORECASE)
        if host is None or error.message != NO_SUCH_FILE:
            raise
        link = f"{'https' if host[1] is None else 'http'}://{source}"
        hint = f"check the spelling and the folder; if it is a link, write {link}"
        raise CircuitError(error.message, file=error.file, hint=hint) from None


def open_source(
    source: Source, *, pick: int | None = None, lookup: Lookup | None = None, root: Path | None = None
) -> Workflow:
    """Opens what `read_source` read; `lookup` finds what it calls, beside it if that is None.

    `root` is the folder of the repository that it belongs to, the one around its file if that is None.
    Raises CircuitError when there is no workflow in it, or several and no `pick`.
    """
    name = "" if source.name.startswith("<") else PurePosixPath(source.name.replace("\\", "/")).name
    plain = _plain(source.data, name)
    try:
        if plain is not None and pick in (None, 1):
            beside = folder_lookup(source.folder, root) if source.folder is not None else nowhere
            found = _settled(opened(plain, lookup or beside), source.folder, lookup or beside)
            return furnished(found, root or repository_of(source))
        workflow = from_found(restore_source(source, pick=pick), name=name)
    except CircuitError as error:
        raise error.located(source.name) from None
    workflow = furnished(workflow, root or repository_of(source))
    return workflow._replace(remarks=(*source.notes, *workflow.remarks))


def _settled(workflow: Workflow, folder: Path | None, lookup: Lookup) -> Workflow:
    """The workflow with paths that lead into no folder above: they start as far up as what it calls lies."""
    ups = max((key.split("/").count("..") for key in workflow.called if key.startswith("../")), default=0)
    if not ups or folder is None:
        return workflow
    home = "/".join(_brought(folder.absolute().parts[-ups:]))

    def from_above(need: Need, caller: Definition) -> Definition | None:
        if not need.path or need.path.startswith("/"):
            return lookup(need, caller)
        found = lookup(Need(path=relpath(need.path, home)), caller)
        return found._replace(path=need.path) if found is not None else None

    main = workflow.definition
    return opened(main._replace(path=f"{home}/{main.path}"), from_above)


def _brought(parts: tuple[str, ...]) -> Iterator[str]:
    """The names of folders as a page gives them: one that no page can bring, such as a hidden one, has another."""
    from circuit_export.restore.paths import unfit

    for number, part in enumerate(parts, 1):
        yield part if not unfit(part) else f"folder-{number}"


def restore_source(
    source: Source, *, pick: int | None = None, strict: bool = False, format: str | None = None
) -> Found:
    """Restores what `read_source` read, as `restore` does; its errors name the source."""
    try:
        return restore(source.data, pick=pick, strict=strict, format=format, charset=source.charset)
    except CircuitError as error:
        from circuit_export.validation.explained import explained

        raise (explained(source.data, source.name) or error).located(source.name) from None


# --- repositories ------------------------------------------------------------------------------------------------


class Skills(NamedTuple):
    """The skills of a repository, in order, and the files that could not be read, with why."""

    skills: tuple[Skill, ...]
    unread: tuple[tuple[str, Unread], ...]


def repository_of(source: Source) -> Path | None:
    """The folder of the repository that a source is in, None when it is in none."""
    from circuit_export.formats.roots import root_of

    return root_of(Path(source.name)) if source.folder is not None else None


def furnished(workflow: Workflow, root: Path | None) -> Workflow:
    """The workflow with what the files that it names in the repository at `root` say of themselves."""
    format = None if root is None else formats.of_repository(workflow.definition.format)
    if root is None or format is None:
        return workflow
    return workflow._replace(document=format.furnish(workflow.document, root))


def skills(root: Path, *, compat: bool = False) -> Skills:
    """The skills that lie in a repository; with `compat` read as the public application reads them."""
    found = [format.discover(root, compat=compat) for format in formats.in_repository()]
    return Skills(
        tuple(skill for one in found for skill in one.skills), tuple(unread for one in found for unread in one.unread)
    )


def pack(workflow: Workflow, root: Path | None, exported_at: str) -> Packed:
    """The bundle of a workflow with the skills of the repository at `root` that it names.

    Raises CircuitError for a workflow that names none by its nature, UsageError when no repository is known.
    """
    format = formats.of_repository(workflow.definition.format)
    if format is None:
        raise CircuitError(
            "There is nothing to bundle with this workflow",
            found=workflow.format.title,
            expected="a workflow that names skills of a repository",
            hint="a page carries all that it calls: leave --format out",
        )
    if root is None:
        raise UsageError("The skills to bundle are in a repository, and none is known", hint="name it with --root")
    return format.pack(workflow.document, root, exported_at)


def bundle_format(data: bytes) -> InRepository | None:
    """The format that `data` is a bundle of, None when it is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return next((format for format in formats.in_repository() if format.is_bundle(text)), None)


def plan_unpacking(data: bytes, name: str, how: Unpacking) -> tuple[InRepository, Plan]:
    """What unpacking a bundle would do, and the format that does it. Raises CircuitError for what is no bundle."""
    format = bundle_format(data)
    if format is None:
        raise CircuitError("This is not a bundle", file=name)
    return format, format.plan(data.decode("utf-8-sig"), name, how)


# --- folders -----------------------------------------------------------------------------------------------------


class Discovery(NamedTuple):
    """The workflows of a folder, in order, and what was passed over and why."""

    files: tuple[Path, ...]
    skipped: tuple[tuple[str, str], ...] = ()


def discover(folder: Path) -> Discovery:
    """Every workflow in a folder and the folders below it, as the project's configuration has it."""
    from circuit_export.validation.discovery import in_folder
    from circuit_export.validation.reading import SCENARIOS

    found = in_folder(folder, settings_of(folder))
    files = (candidate.path for candidate in found.candidates if not candidate.name.endswith(SCENARIOS))
    return Discovery(tuple(_as_named(file, folder) for file in files), tuple(found.skipped))


def _as_named(file: Path, folder: Path) -> Path:
    """The path of a file below a folder, from where the folder was named."""
    return folder / file.relative_to(folder.absolute())


def settings_of(place: Path) -> Settings:
    """The configuration that holds for a file or folder. Raises UsageError when it is wrong."""
    from circuit_export.validation.config import find as find_settings

    return find_settings(place)


def is_configured(place: Path) -> bool:
    """Whether some folder above a file or folder has a configuration: cheap, so that most need not look for it."""
    start = place.absolute()
    for folder in (start, *start.parents):
        if (folder / "circuit.toml").is_file():
            return True
        shared = folder / "pyproject.toml"
        if shared.is_file() and b"tool.circuit" in shared.read_bytes():
            return True
    return False
