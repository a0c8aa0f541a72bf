"""The scenarios and goldens of a project's workflows: found, read, played and checked; where goldens are written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from circuit_export import formats
from circuit_export.diagnostics import CircuitError, Diagnostic, UsageError, located
from circuit_export.formats.likeness import nearest
from circuit_export.runs.directives import one_line
from circuit_export.runs.findings import NO_WORKFLOW, STALE_GOLDEN, UNFINISHED, UNREADABLE
from circuit_export.validation import goldens
from circuit_export.validation.cache import Cache
from circuit_export.validation.discovery import shown_path
from circuit_export.validation.reading import SCENARIOS
from circuit_export.validation.traces import Checked, Files, check, scenarios_path

if TYPE_CHECKING:
    from circuit_export.formats.base import Document
    from circuit_export.validation.config import Settings
    from circuit_export.validation.report import Report

TRACE = ".trace"
_UPDATE = "`circuit trace --update` takes it away"


class Places(NamedTuple):
    """Where a workflow's scenarios and golden lie."""

    scenarios: Path
    golden: Path


class Tracing:
    """What is checked of the runs of one project; `checked` collects it by workflow, `paths` where each name lies."""

    def __init__(self, settings: Settings, cache: Cache) -> None:
        self.settings = settings
        self.cache = cache
        self.checked: dict[str, Checked] = {}
        self.paths: dict[str, Path] = {}
        self.garbled: set[str] = set()

    def files(self, name: str, path: Path) -> Files:
        """The scenarios and the golden of a workflow, read."""
        places = self.places(name, path)
        named = [shown_path(place, self.settings.root) for place in places]
        self.paths.update(zip(named, places, strict=True))
        return Files(name, *named, *map(self._text, places))

    def _text(self, file: Path) -> str | None:
        """The text of a file, None when there is none. Raises CircuitError for one that cannot be read."""
        try:
            return file.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            self.garbled.add(shown_path(file, self.settings.root))
            return error.object.decode("utf-8", "replace")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise CircuitError(f"The file cannot be read: {error.strerror}", file=str(file)) from None

    def places(self, name: str, path: Path) -> Places:
        """Where they lie; the golden of a file outside the project lies as if its folder were one."""
        root, below = (self.settings.root, name) if not Path(name).is_absolute() else (path.parent, path.name)
        return Places(
            path.with_name(scenarios_path(path.name)), root / goldens.golden_path(self.settings.goldens, below)
        )

    def has_nothing(self, files: Files) -> bool:
        """Is there nothing to check about the runs of a workflow?"""
        return files.scenarios_text is None and files.golden_text is None and not self.settings.require_scenarios

    def is_known(self, files: Files, data: bytes) -> bool:
        """Was all this found to be right before? Only asked of workflows that call no other."""
        return self.cache.has("traced", *self._mark(files, data))

    def remember(self, files: Files, data: bytes) -> None:
        """Notes that it is right."""
        self.cache.add("traced", *self._mark(files, data))

    def _mark(self, files: Files, data: bytes) -> Iterator[str | bytes]:
        settings = self.settings
        yield from (data, files.scenarios_text or "", files.golden_text or "")
        yield f"{settings.max_directives} {settings.require_scenarios}"

    def check(self, document: Document, called: Mapping[str, Document], files: Files) -> tuple[Diagnostic, ...]:
        """Plays the scenarios of a workflow; what is found has its place."""
        if files.scenarios in self.garbled:
            found = UNREADABLE.found("The scenarios are not UTF-8", file=files.scenarios, hint="save them as UTF-8")
            self.checked[files.workflow] = Checked(files, findings=(found,))
            return (found,)
        kind = formats.get(document.definition.format)
        machine = kind.engine(document, called, self.settings.max_directives)
        try:
            done = check(
                machine,
                files,
                kind.spots(document),
                required=self.settings.require_scenarios,
            )
        except CircuitError as error:
            found = UNFINISHED.found(error.message, file=files.scenarios, hint=error.hint)
            done = Checked(files, findings=(found,))
        mine = [found for found in done.findings if found.file == files.workflow and found.start is None]
        placed = dict(zip(map(id, mine), located(mine, document.definition.text, files.workflow), strict=True))
        done = done._replace(findings=tuple(placed.get(id(found), found) for found in done.findings))
        self.checked[files.workflow] = done
        return done.findings

    # --- what belongs to no workflow ---------------------------------------------------------------------------------

    def left_over(self, folders: Iterable[Path], scenarios: Iterable[Path]) -> Iterator[Diagnostic]:
        """Goldens below the traces of folders whose workflow is gone, and scenarios beside none."""
        for path in scenarios:
            if not _has_workflow(str(path).removesuffix(SCENARIOS)):
                name = shown_path(path, self.settings.root)
                hint = f"rename it after the workflow that it is for, as NAME{SCENARIOS}"
                yield NO_WORKFLOW.found("There is no workflow beside these scenarios", file=name, hint=hint)
        for golden in self.stale_goldens(folders):
            name = shown_path(golden, self.settings.root)
            self.paths[name] = golden
            yield STALE_GOLDEN.found("There is no workflow for this golden", file=name, hint=_UPDATE)

    def stale_goldens(self, folders: Iterable[Path]) -> list[Path]:
        """The golden traces of workflows in these folders that are not there."""
        root = self.settings.root
        traces = root / self.settings.goldens / goldens.FOLDER
        found: dict[Path, None] = {}
        for folder in folders:
            here = folder.absolute()
            below = here.relative_to(root) if here.is_relative_to(root) else None
            if below is None or not (traces / below).is_dir():
                continue
            for golden in sorted((traces / below).rglob(f"*{TRACE}")):
                if not _has_workflow(str(root / golden.relative_to(traces).with_suffix(""))):
                    found[golden] = None
        return list(found)


def with_workflows(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Paths in which each scenarios file is followed by the workflow that it belongs to."""
    found: dict[Path, None] = {}
    for path in paths:
        found[path] = None
        if path.name.endswith(SCENARIOS):
            stem = path.name.removesuffix(SCENARIOS)
            found.update(
                (beside, None)
                for suffix in sorted(formats.suffixes())
                if (beside := path.with_name(stem + suffix)).is_file()
            )
    return tuple(found)


def _has_workflow(stem: str) -> bool:
    return any(os.path.isfile(stem + suffix) for suffix in formats.suffixes())  # noqa: PTH113  # a stem may hold dots


# --- bringing goldens up to date ------------------------------------------------------------------------------------


class Update(NamedTuple):
    """What a golden should hold; None is that it should not be there."""

    golden: str
    text: str | None


def updates(report: Report, accept: Sequence[str] = (), paths: Sequence[Path] = ()) -> list[Update]:
    """The goldens that are to change, all of them (also those below `paths` that nothing is left of) or only the
    scenarios of the names in `accept`.

    Raises UsageError for a name that is that of no scenario, or of several in different workflows.
    """
    traced = report.traced
    for name in accept:
        _owner(traced, name)
    found = []
    for checked in traced:
        text = checked.files.golden_text
        if _was_not_read(checked):
            continue
        if accept:
            for name in accept:
                text = checked.updated(name) if one_line(name) in _names(checked) else text
                checked = checked._replace(files=checked.files._replace(golden_text=text))
        else:
            text = checked.updated()
        found.append(Update(checked.files.golden, text or None))
    before = {checked.files.golden: checked.files.golden_text for checked in traced}
    changes = [update for update in found if update.text != before[update.golden]]
    if not accept and report.settings is not None:
        folders = [path for path in paths if path.is_dir()]
        stale = Tracing(report.settings, Cache(None)).stale_goldens(folders)
        changes += [Update(str(golden), None) for golden in stale]
    return changes


def _was_not_read(checked: Checked) -> bool:
    """Were there scenarios that could not be played? Nothing is known of their traces then."""
    return not checked.played and any(found.code in (UNREADABLE.code, UNFINISHED.code) for found in checked.findings)


def _names(checked: Checked) -> set[str]:
    mine = {one_line(played.scenario.name) for played in checked.played}
    return mine | set(goldens.read(checked.files.golden_text or "").traces)


def _owner(traced: Sequence[Checked], name: str) -> None:
    owners = [checked.files.workflow for checked in traced if one_line(name) in _names(checked)]
    if len(owners) == 1:
        return
    if owners:
        listed = ", ".join(owners)
        hint = f"name the workflow too: circuit trace {owners[0]} --accept …"
        raise UsageError(f"“{name}” is a scenario of several workflows", found=listed, hint=hint)
    known = sorted({one for checked in traced for one in _names(checked)})
    near = nearest(name, known)
    raise UsageError(
        "There is no such scenario",
        found=f"“{name}”",
        expected=", ".join(f"“{one}”" for one in known[:12]) + (", …" if len(known) > 12 else "") if known else "",
        hint=f"did you mean “{near}”?" if near else "",
    )
