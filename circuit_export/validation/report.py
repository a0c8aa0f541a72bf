"""What is asked of a validation and what comes of it, as plain values: the same for every reporter and command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from circuit_export.formats.base import Rule
    from circuit_export.validation.config import Settings
    from circuit_export.validation.discovery import Skipped
    from circuit_export.validation.traces import Checked

_RANK = {"error": 0, "warning": 1, "note": 2, "never": -1}


class Outcome(Enum):
    """How a validation ended."""

    FINE = "fine"
    FINDINGS = "findings"
    NOTHING = "nothing"


class Runs(Enum):
    """Whether the scenarios of workflows are played: not at all, beside everything else, or nothing else."""

    NO = "no"
    ALSO = "also"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Source:
    """A text that is no file here (stdin, a URL), with the name that it goes by."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """What to validate and how. What is None is as the configuration says.

    `fix` writes safe fixes to the files, with `unsafe_fixes` all of them; with `diff` they are only shown.
    `base` is the folder that the names of files are told from; None is the project's root.
    `skip_others` passes over files that hold no workflow even if they are named.
    `cache` is a folder to remember in what was found to be right; None is not to.
    `root` is the repository's folder; None is the nearest one above each file that holds `.circuit` or `.git`.
    `profile` says whose idea of a runnable workflow counts ("" is ours), `allow_cycles` that a graph may go round.
    `runs` says whether scenarios are played and compared with their goldens.
    """

    paths: tuple[Path, ...] = ()
    sources: tuple[Source, ...] = ()
    config: Path | None = None
    tools: Path | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: str | None = None
    baseline: Path | None = None
    write_baseline: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    base: Path | None = None
    skip_others: bool = False
    cache: Path | None = None
    root: Path | None = None
    profile: str = ""
    allow_cycles: bool = False
    runs: Runs = Runs.NO


@dataclass(frozen=True, slots=True)
class Report:
    """What was found. `texts` holds the texts of the files with findings, by name, as code frames need them.

    `diff` is what the fixes change (or would), `root` the folder that the names of files start from. `traced` holds
    what came of the scenarios of each workflow that has any, `settings` what the project asks for. `may_be_empty` says
    that nothing to check is fine, as for a commit without workflows.
    """

    findings: tuple[Diagnostic, ...] = ()
    files: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    suppressed: int = 0
    known: int = 0
    fixed: int = 0
    diff: str = ""
    fail_on: str = "warning"
    root: Path = field(default_factory=Path)
    rules: tuple[Rule, ...] = ()
    traced: tuple[Checked, ...] = ()
    settings: Settings | None = None
    may_be_empty: bool = False

    @property
    def outcome(self) -> Outcome:
        """The one decision from which the exit code follows."""
        if not self.files and not self.findings and not self.may_be_empty:
            return Outcome.NOTHING
        worst = min((_RANK[found.severity] for found in self.findings), default=len(_RANK))
        return Outcome.FINDINGS if worst <= _RANK[self.fail_on] else Outcome.FINE

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings of each severity, the worst first."""
        counted = Counter(found.severity for found in self.findings)
        return {severity: counted[severity] for severity in Severity}

    @property
    def fixable(self) -> tuple[int, int]:
        """How many findings have a fix that is safe, and how many one that is not."""
        fixes = [found.fix for found in self.findings if found.fix is not None]
        safe = sum(fix.safe for fix in fixes)
        return safe, len(fixes) - safe
