"""SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from circuit_export.diagnostics import Diagnostic, Position, Severity
from circuit_export.formats.json_text import write
from circuit_export.validation.baseline import entry_of
from circuit_export.validation.report import Report
from circuit_export.validation.reporters.words import TOOL

if TYPE_CHECKING:
    from circuit_export.formats.base import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def report(report: Report, colour: bool) -> str:
    used = {found.code for found in report.findings}
    rules = [rule for rule in report.rules if rule.code in used]
    places = {rule.code: number for number, rule in enumerate(rules)}
    run: dict[str, Any] = {
        "tool": {"driver": {"name": TOOL, "rules": [_rule(rule) for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, places) for found in report.findings],
    }
    return write({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.about},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.about}\n\n{rule.why}\n\n`circuit explain {rule.code}` shows examples."},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(found: Diagnostic, places: dict[str, int]) -> dict[str, Any]:
    said = f"{found.message}. {found.hint[:1].upper() + found.hint[1:]}" if found.hint else found.message
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": _LEVELS[found.severity],
        "message": {"text": said},
        "locations": [{**_physical(found.file, found.start, found.end), **_logical(found)}],
        "partialFingerprints": {"finding/v1": "/".join(map(_quoted, entry_of(found)))},
    }
    if found.reference:
        result["properties"] = {"reference": found.reference}
    if found.code in places:
        result["ruleIndex"] = places[found.code]
    related: list[dict[str, Any]] = []
    for other in found.related:
        place = {"message": {"text": other.message}, **_physical(other.file or found.file, other.start, None)}
        if place not in related:  # the schema wants each once
            related.append(place)
    return {**result, "relatedLocations": related} if related else result


def _quoted(part: str) -> str:
    return quote(part.encode("utf-8", "replace"), safe="")


def _physical(file: str, start: Position | None, end: Position | None) -> dict[str, Any]:
    place = start or Position(1, 1)
    region = {"startLine": place.line, "startColumn": place.column}
    if end is not None:
        region |= {"endLine": end.line, "endColumn": end.column}
    uri = quote(file.encode("utf-8", "replace"), safe="/:#?=&")
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _logical(found: Diagnostic) -> dict[str, Any]:
    if found.step is None:
        return {}
    return {"logicalLocations": [{"name": found.step, "fullyQualifiedName": found.pointer or found.step}]}
