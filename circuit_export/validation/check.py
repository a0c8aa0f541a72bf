"""All that is found in one file: by its loader, its schema and its rules, each with its place."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from circuit_export import formats
from circuit_export.diagnostics import Diagnostic, Severity, located

if TYPE_CHECKING:
    from collections.abc import Iterable

    from circuit_export.formats.base import Document, Surroundings
    from circuit_export.validation.cache import Cache
    from circuit_export.validation.reading import Read


def quick_findings(document: Document, around: Surroundings | None = None) -> list[Diagnostic]:
    """What the loader and the rules say of a document, with places: no schema, and nothing heavy is imported.

    For commands that do something else with it and say this in passing. What the document suppresses is left out.
    """
    found = [*document.notes, *_rules(document, around)]
    text = document.definition.text
    if found and ("x-circuit" in text or "circuit: ignore" in text):
        from circuit_export.validation.suppress import unsuppressed

        found = unsuppressed(found, document)
    return located(in_order(found), document.definition.text, document.definition.path) if found else []


def findings(read: Read, around: Surroundings, cache: Cache | None = None) -> list[Diagnostic]:
    """What is found in a file that was read, in the order of its text, before anything is left out.

    `cache` remembers documents of the right shape, which are then not compared with their schema again.
    """
    from circuit_export.validation.reading import SCENARIOS

    if read.file.endswith(SCENARIOS):
        return _only_shape(read, "scenarios")
    if read.document is None:
        return _unloaded(read, around) if read.format else list(read.findings)
    notes = list(read.document.notes)
    said = {(found.code, found.pointer) for found in notes}
    shape = [found for found in _cached_shape(read, cache) if (found.code, found.pointer) not in said]
    mended = _mended(read.document, [*notes, *_rules(read.document, around)])
    return by_place(located([*mended, *shape], read.text, read.file))


def _unloaded(read: Read, around: Surroundings) -> list[Diagnostic]:
    """Of a file that does not load: what its format's own rules say of any value, else its schema."""
    module = _rules_of(read.format)
    if read.value is None or not hasattr(module, "check_value"):
        return _only_shape(read, read.format)
    found = located(module.check_value(read.value, around=around), read.text, read.file)
    return by_place(found) if found else list(read.findings)


def _only_shape(read: Read, name: str) -> list[Diagnostic]:
    """Of a file that does not load, what its schema says; what the loader said if the schema has nothing to say."""
    if any(found.code == "C005" for found in read.findings) or read.value is None:
        return list(read.findings)
    shape = located(_shape(read, name), read.text, read.file)
    return by_place(shape) if shape else list(read.findings)


def _shape(read: Read, name: str) -> list[Diagnostic]:
    from circuit_export.validation import schema

    if read.value is None or name not in schema.names() or getattr(_rules_of(name), "SAYS_SHAPE", False):
        return []
    # That a step's type is not known is the loader's to say: it says what then becomes of the step.
    return [found for found in schema.shape_findings(read.value, name) if not _is_step_type(found)]


def _cached_shape(read: Read, cache: Cache | None) -> list[Diagnostic]:
    if cache is None or read.value is None:
        return _shape(read, read.format)
    from circuit_export.validation import schema

    if read.format not in schema.names() or cache.has(f"shape-{read.format}", read.text):
        return []
    found = _shape(read, read.format)
    if not found:
        cache.add(f"shape-{read.format}", read.text)
    return found


def _is_step_type(found: Diagnostic) -> bool:
    parts = found.pointer.split("/")
    return len(parts) == 4 and parts[1] == "steps" and parts[3] == "type" and "it must be" in found.message


def _rules(document: Document, around: Surroundings | None) -> Iterable[Diagnostic]:
    module = _rules_of(document.definition.format)
    found: Iterable[Diagnostic] = module.check(document, around) if module is not None else ()
    return found


def _mended(document: Document, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings with the fixes that the format knows for what its loader says."""
    module = _rules_of(document.definition.format)
    mend = getattr(module, "mended", None)
    better: list[Diagnostic] = mend(document, found) if mend is not None else found
    return better


def _rules_of(name: str) -> Any:
    """The module of a format's rules, None when it has none yet."""
    folder = f"{formats.__name__}.{name}"
    try:
        return import_module(f"{folder}.rules")
    except ModuleNotFoundError as error:
        if error.name not in (folder, f"{folder}.rules"):
            raise
        return None


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def in_order(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings with the worst first; those of one severity stay in their order."""
    return sorted(found, key=lambda one: _RANK[one.severity])


def by_place(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings in the order of the text, those of one place by code."""
    return sorted(
        found, key=lambda one: (one.start.line if one.start else 0, one.start.column if one.start else 0, one.code)
    )
