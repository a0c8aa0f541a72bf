"""Every vector of the format: documents, substitutions and front matter (runs are in the engine's tests)."""

import json
from typing import Any

import pytest
from support.skills import VECTORS, named

from circuit_export.diagnostics import Severity
from circuit_export.formats.skills.document import read_graph
from circuit_export.formats.skills.front_matter import read_card
from circuit_export.formats.skills.placeholders import Refused, substitute
from circuit_export.formats.skills.plan import plan
from circuit_export.formats.skills.rules import Terms, check_value

CASES: dict[str, dict[str, Any]] = json.loads((VECTORS / "cases" / "INDEX.json").read_text("utf-8"))


def said(value: Any, severity: Severity, **terms: Any) -> list[dict[str, str]]:
    return [
        {"code": found.name.upper().replace("-", "_"), "pointer": found.pointer}
        for found in check_value(value, Terms(**terms))
        if found.severity is severity
    ]


def order(value: Any) -> list[str]:
    found = read_graph(value)
    return [found.nodes[index].id for index in plan(len(found.nodes), found.links()).order]


@pytest.mark.parametrize("name", CASES)
def test_a_document_has_its_findings_and_order(name: str) -> None:
    value, expected = json.loads((VECTORS / "cases" / name).read_text("utf-8")), CASES[name]
    errors = [] if expected["valid"] else [{"code": expected["rule"], "pointer": expected["pointer"]}]
    assert said(value, Severity.ERROR) == errors
    assert said(value, Severity.WARNING) == expected["warnings"]
    if expected["valid"]:
        assert order(value) == expected["order"]
    if "orderWhenCyclesAllowed" in expected:
        assert said(value, Severity.ERROR, allow_cycles=True) == []
        assert [node["id"] for node in value["nodes"]] == expected["orderWhenCyclesAllowed"]


@pytest.mark.parametrize(("name", "vector"), named("validator_extra.json"))
def test_one_change_has_its_findings(name: str, vector: dict[str, Any]) -> None:
    assert said(vector["document"], Severity.ERROR) == vector["errors"]
    assert said(vector["document"], Severity.WARNING) == vector["warnings"]
    if not vector["errors"]:
        assert order(vector["document"]) == vector["order"]


@pytest.mark.parametrize(("name", "vector"), named("resolve.json"))
def test_an_input_is_filled_or_refused(name: str, vector: dict[str, Any]) -> None:
    found = substitute(vector["input"], vector["previousOutputs"])
    if "refused" in vector:
        assert isinstance(found, Refused)
        assert str(found) == vector["refused"]
    else:
        assert json.dumps(found) == json.dumps(vector["expect"])


@pytest.mark.parametrize(("name", "vector"), named("frontmatter.json"))
def test_front_matter_is_read_as_the_application_does(name: str, vector: dict[str, Any]) -> None:
    card = read_card(vector["text"], vector["dirName"], compat=True)
    found: dict[str, Any] = {
        "name": card.name,
        "description": card.description,
        "inputHints": [
            {"kind": hint.kind, "key": hint.key, "label": hint.label, "placeholder": hint.placeholder}
            for hint in card.hints
        ],
    }
    if card.default_input:
        found["defaultInput"] = card.default_input
    if card.default_model:
        found["defaultModel"] = card.default_model
    assert found == vector["observed"]
