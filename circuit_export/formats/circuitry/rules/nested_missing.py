"""C845: the file of a nested program that is not there, or cannot be read."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.circuitry.words import nested_path
from circuit_export.formats.wording import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey


_NOT_THERE = "is not there"
_FROM_WHERE = "the path is relative to the program's own folder"


def check(survey: Survey) -> Iterator[Diagnostic]:
    ground = survey.ground
    if ground is None:
        return
    for _, call in survey.calls():
        path = nested_path(call, survey.document)
        if path is None or ground.why_not(path):
            continue
        why, hint = _trouble(ground.place(path))
        if why == _NOT_THERE:
            near = survey.spelling.near(PurePosixPath(path).name, _beside(ground.place(path)))
            hint = did_you_mean(near, hint)
        if why:
            yield survey.found(
                RULE,
                f"The call {shown(call.name)} runs {shown(path)}, which {why}",
                survey.part(call, "source"),
                call.name,
                hint=hint,
            )


def _trouble(path: Path) -> tuple[str, str]:
    """Why a run cannot read a program's file, and what to do; nothing when it can."""
    try:
        if not path.is_file():
            known = path.exists()
            return ("is no file", "name a program's file") if known else (_NOT_THERE, _FROM_WHERE)
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return "is not UTF-8", "save it as UTF-8"
    except (OSError, ValueError):
        return "cannot be read", "check who may read it"
    return "", ""


def _beside(path: Path) -> list[str]:
    folder = path.parent
    if not folder.is_dir():
        return []
    return sorted(file.name for file in folder.iterdir() if file.suffix.lower() in (".kdl", ".md"))


RULE = Rule(
    "C845",
    "nested-missing",
    Severity.ERROR,
    "A call runs a program whose file is not there, or cannot be read.",
    "The call fails with source.read. The example is complete when a file review.kdl lies beside it.",
    bad='review source="reveiw.kdl" { out { verdict $verdict } }\nout $verdict\n',
    good='review source="" { in { verdict "fine" }; out { verdict $verdict } }\nout $verdict\n',
    check=check,
)
