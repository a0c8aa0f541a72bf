"""What several rules find in the same way, each about something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Diagnostic, Place, Related
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.skills.paths import Fault, faults
from circuit_export.formats.skills.rules.survey import Survey, is_text, stands
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from circuit_export.formats.base import Rule
    from circuit_export.formats.skills.repository import Trouble


def no_text(survey: Survey, rule: Rule, key: str, says: str, hint: str) -> Iterator[Diagnostic]:
    """That a member of the document is no text; `says` what it should be."""
    if isinstance(survey.value, dict) and not is_text(survey.members.get(key)):
        yield rule.found(f"A skill graph {says}; {stands(survey.members, key)}", f"/{key}", hint=hint)


def no_objects(items: Iterable[Any], rule: Rule, what: str, pointer: str, hint: str) -> Iterator[Diagnostic]:
    """That entries of a list are no objects; `what` one of them is called."""
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            message = f"{what} {index + 1} is {kind_of(item)}, not an object"
            yield rule.found(message, f"{pointer}/{index}", hint=hint)


def same_ids(items: Iterable[Any], rule: Rule, what: str, pointer: str) -> Iterator[Diagnostic]:
    """That entries of a list have the id of an earlier one; `what` one of them is called, as "node"."""
    first: dict[str, int] = {}
    for index, item in enumerate(items):
        id = item.get("id") if isinstance(item, dict) else None
        if is_text(id) and first.setdefault(id, index) != index:
            yield rule.found(
                f"{what.title()} {index + 1} has the id {shown(id)} of {what} {first[id] + 1}",
                f"{pointer}/{index}/id",
                step=id if what == "node" else None,
                hint="give it an id of its own",
                related=(Related(f"the first {what} with this id", Place(f"{pointer}/{first[id]}/id")),),
            )


def faulty_paths(survey: Survey, rule: Rule, fault: Fault, says: str, hint: str) -> Iterator[Diagnostic]:
    """That paths of skill files have a fault; `says` which, as the end of a sentence."""
    for item, path in survey.files():
        if fault in faults(path):
            message = f"{item.name}: the path {shown(path)} {says}"
            yield rule.found(message, f"{item.pointer}/skillRef/skillFile", step=item.id, hint=hint)


def on_disk(survey: Survey, rule: Rule, trouble: Trouble, hint: str) -> Iterator[Diagnostic]:
    """That files of skills have one kind of trouble."""
    from circuit_export.formats.skills.repository import Unread

    for item, path, text in survey.read_files:
        if isinstance(text, Unread) and text.trouble is trouble:
            message = f"{item.name}: the file {shown(path)} {text.why}"
            yield rule.found(message, f"{item.pointer}/skillRef/skillFile", step=item.id, hint=hint)
