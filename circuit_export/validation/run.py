"""Validates what a request names: reads, checks, leaves out what is not wanted, mends, and reports."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from circuit_export import formats
from circuit_export.diagnostics import CircuitError, Diagnostic, UsageError, located
from circuit_export.runs.findings import UNREADABLE
from circuit_export.validation import baseline, fixes, patterns
from circuit_export.validation.cache import Cache
from circuit_export.validation.catalogue import checked_words, every_rule, is_selected
from circuit_export.validation.check import by_place, findings
from circuit_export.validation.project import Project, Workflows, open_project, read_candidate, remember
from circuit_export.validation.reading import SCENARIOS
from circuit_export.validation.report import Report, Request, Runs
from circuit_export.validation.suppress import sift, suppressions
from circuit_export.validation.tracing import Tracing, with_workflows

if TYPE_CHECKING:
    from circuit_export.formats.base import Document, Surroundings
    from circuit_export.validation.reading import Read
    from circuit_export.validation.traces import Checked, Files

PASSES = 5
"""How often a file is mended and checked again: a fix may uncover what another one mends."""
_NEEDS_TOOLS = ("C401",)
_NEEDS_GROUND = ("C845", "C846")
_NEEDS_WORKFLOWS = ("C212", "C213", "C214", "C215")


def validate(request: Request) -> Report:
    """Validates. Raises UsageError for a wrong request or configuration; what is wrong with files is reported."""
    run = _Run(request)
    report = run.report()
    run.cache.save()
    return report


class _Run:
    """One validation. A class, so that what all files share is not handed through every step."""

    def __init__(self, request: Request) -> None:
        if request.runs is not Runs.NO:
            request = replace(request, paths=with_workflows(request.paths))
        self.request = request
        self.cache = Cache(request.cache)
        self.project: Project = open_project(request, self.cache)
        settings = self.project.settings
        source = str(settings.file) if settings.file is not None else "the command line"
        self.select = checked_words(settings.select, f"“select” in {source}")
        if request.select is not None:
            self.select = checked_words(request.select, "--select")
        self.ignore = (
            *checked_words(settings.ignore, f"“ignore” in {source}"),
            *checked_words(request.ignore or (), "--ignore"),
        )
        self.per_file = [
            (
                patterns.wanted([pattern], "per-file-ignores", source),
                checked_words(words, f"“per-file-ignores” in {source}"),
            )
            for pattern, words in settings.per_file_ignores.items()
        ]
        self.workflows = Workflows(self.project)
        # What is mended is not what was read, so nothing is remembered of it.
        mends = request.fix or request.diff
        self.data = {} if mends else {candidate.name: candidate.data for candidate in self.project.candidates}
        self.suppressed = 0
        self.mending = False
        self.tracing = Tracing(settings, self.cache)

    def report(self) -> Report:
        found: list[Diagnostic] = []
        texts: dict[str, str] = {}
        diffs: list[str] = []
        mended = 0
        paths = {candidate.name: candidate.path for candidate in self.project.candidates}
        for name, reads in self.project.reads.items():
            path = paths.get(name)
            if path is not None and (self.request.fix or self.request.diff):
                reads, count, diff = self.mend(path, name, reads)
                mended += count
                diffs.append(diff)
            for one, about in zip(reads, self.of_file(reads, path), strict=True):
                found += about
                if about:
                    texts[one.file] = one.text
        found += self.left_over(paths)
        for checked in self.tracing.checked.values():
            files = checked.files
            texts |= {files.scenarios: files.scenarios_text or "", files.golden: files.golden_text or ""}
        found = _said_once(found)
        return self.sifted(found, texts, mended, "".join(diffs))

    def of_file(self, reads: list[Read], path: Path | None) -> list[list[Diagnostic]]:
        """The findings of what a file holds, with what is not wanted left out."""
        documents = [one.document for one in reads if one.document is not None]
        return [self.of_read(one, path, documents if len(documents) > 1 else []) for one in reads]

    def of_read(self, one: Read, path: Path | None, bundled: list[Document]) -> list[Diagnostic]:
        files = self.files_of(one, path)
        was_clean = one.clean
        if was_clean:
            if files is None or self.tracing.is_known(files, self.data[one.file]):
                return []
            one = read_candidate(self.data[one.file], one.file)[0]
        around = self.workflows.around(one.document, None if path is None else path.parent, bundled)
        every = [] if was_clean else self.static(one, around)
        wanted = list(suppressions(one.value, one.document))
        if not every and not wanted and one.file in self.data and self.request.runs is not Runs.ONLY:
            remember(one, self.data[one.file], self.project.tools, self.cache)
        if files is not None and one.document is not None:
            traced = self.tracing.check(one.document, around.workflows or {}, files)
            alone = one.file in self.data and not formats.get(one.format).needs(one.document)
            if alone and not traced and not wanted:
                self.tracing.remember(files, self.data[one.file])
            every = by_place([*every, *traced])

        def could_be_found(code: str) -> bool:
            if code.startswith("C9") or self.request.runs is Runs.ONLY:
                return code.startswith("C9") and files is not None
            if code in _NEEDS_TOOLS:
                return around.tools is not None
            if code in _NEEDS_GROUND:
                return around.ground is not None
            return around.workflows is not None or code not in _NEEDS_WORKFLOWS

        if wanted:
            sifted = sift(every, wanted, could_be_found)
            self.suppressed += sifted.suppressed
            every = by_place(located(sifted.findings, one.text, one.file))
        ignore = (*self.ignore, *self.ignored_in(one.file))
        return [about for about in every if is_selected(about, self.select, ignore)]

    def static(self, one: Read, around: Surroundings) -> list[Diagnostic]:
        """What is found without running anything; when nothing but runs is looked at, why a file cannot be."""
        if self.request.runs is Runs.ONLY:
            return list(one.findings) if not one.file.endswith(SCENARIOS) else []
        return findings(one, around, self.cache)

    def files_of(self, one: Read, path: Path | None) -> Files | None:
        """The scenarios and golden of a workflow whose runs are to be looked at; None when there is nothing to."""
        alone = path is not None and path.suffix in formats.suffixes() and not path.name.endswith(SCENARIOS)
        if self.request.runs is Runs.NO or self.mending or path is None or not alone:
            return None
        files = self.tracing.files(one.file, path)
        return None if self.tracing.has_nothing(files) else files

    def left_over(self, paths: dict[str, Path]) -> list[Diagnostic]:
        """What is said of scenarios and goldens that belong to no workflow."""
        if self.request.runs is Runs.NO:
            return []
        folders = [path for path in self.request.paths if path.is_dir()]
        scenarios = [path for path in paths.values() if path.name.endswith(SCENARIOS)]
        found = located(self.tracing.left_over(folders, scenarios), "")
        ignored = {one.file: (*self.ignore, *self.ignored_in(one.file)) for one in found}
        return [one for one in found if is_selected(one, self.select, ignored[one.file])]

    def ignored_in(self, file: str) -> list[str]:
        return [word for pattern, words in self.per_file if pattern.match_file(file) for word in words]

    def mend(self, path: Path, name: str, reads: list[Read]) -> tuple[list[Read], int, str]:
        """Applies the fixes of a file that is one workflow; what it holds then, how many there were, and the diff."""
        if len(reads) != 1 or reads[0].document is None:
            return reads, 0, ""
        data = path.read_bytes()
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        before = now = data.decode("utf-8-sig")
        count = 0
        for _ in range(PASSES):
            held, self.suppressed = self.suppressed, 0
            self.mending = True  # no run is mended by an edit, so none is looked at until all edits are made
            about = self.of_file(reads, path)[0]
            self.suppressed, self.mending = held, False
            fixed = fixes.apply(reads[0].text, about, unsafe=self.request.unsafe_fixes, raw=now)
            if not fixed.applied:
                break
            again = read_candidate(fixed.text.encode("utf-8", "surrogatepass"), name)
            if len(again) != 1 or again[0].document is None:
                break  # a fix must never make a workflow unreadable
            now, reads, count = fixed.text, again, count + len(fixed.applied)
        if now == before:
            return reads, 0, ""
        if self.request.fix and not self.request.diff:
            _write(path, mark + now.encode("utf-8"))
        return reads, count, fixes.diff(before, now, name)

    def sifted(self, found: list[Diagnostic], texts: dict[str, str], mended: int, diff: str) -> Report:
        request, settings = self.request, self.project.settings
        files = tuple(self.project.reads)
        known = 0
        if request.baseline is not None and request.write_baseline:
            _write(request.baseline, baseline.dump(found).encode("utf-8"))
            known, found = len(found), []
        elif request.baseline is not None:
            name = request.baseline.as_posix()
            try:
                text = request.baseline.read_text("utf-8-sig")
            except (OSError, UnicodeDecodeError):
                hint = "write it with --write-baseline"
                raise UsageError("The baseline cannot be read", file=name, hint=hint) from None
            sifted = baseline.sift(found, baseline.load(text, name), files, name)
            known = sifted.known
            found = [*sifted.findings, *(one for one in sifted.stale if is_selected(one, self.select, self.ignore))]
            texts = {**texts, name: text} if sifted.stale else texts
        fail_on = request.fail_on or settings.fail_on
        traced = list(self.tracing.checked.values())
        if request.base is not None:
            places = self.tracing.paths | {candidate.name: candidate.path for candidate in self.project.candidates}
            names = {name: told_from(path, request.base) for name, path in places.items()}
            found = [_renamed(one, names) for one in found]
            files = tuple(names.get(name, name) for name in files)
            texts = {names.get(name, name): text for name, text in texts.items()}
            traced = [_told(one, names) for one in traced]
        report = Report(tuple(found), files, self.project.skipped, texts, self.suppressed, known, mended, diff, fail_on)
        return replace(
            report,
            root=settings.root,
            rules=every_rule(),
            traced=tuple(traced),
            settings=settings,
            may_be_empty=request.skip_others,
        )


def told_from(path: Path, base: Path) -> str:
    """The name of a file from a folder on, with forward slashes; whole where no relative one leads there."""
    try:
        return Path(os.path.relpath(path, base.absolute())).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def _renamed(found: Diagnostic, names: dict[str, str]) -> Diagnostic:
    related = tuple(other._replace(file=names.get(other.file, other.file)) for other in found.related)
    return found._replace(file=names.get(found.file, found.file), related=related)


def _told(checked: Checked, names: dict[str, str]) -> Checked:
    """What came of a workflow's scenarios, with its files named as everything else is."""
    files, row = checked.files, checked.row
    told = [names.get(name, name) for name in (files.workflow, files.scenarios, files.golden)]
    files = files._replace(workflow=told[0], scenarios=told[1], golden=told[2])
    return checked._replace(files=files, row=None if row is None else row._replace(file=told[0]))


def _said_once(found: list[Diagnostic]) -> list[Diagnostic]:
    """Findings without those that a scenarios file is unreadable where its own check says better what is wrong."""
    better = {one.file for one in found if one.code != UNREADABLE.code}
    return [one for one in found if one.code != UNREADABLE.code or one.file not in better]


def _write(path: Path, data: bytes) -> None:
    """Writes a file in one move, so that a stop midway leaves the old one whole."""
    beside = path.with_name(f".{path.name}.circuit-new")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise CircuitError(f"The file cannot be written: {error.strerror}", file=str(path)) from None
