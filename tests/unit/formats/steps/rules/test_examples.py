"""Every rule is documented: its bad example has exactly its finding, its good one none."""

import json
from pathlib import Path

import pytest

from circuit_export.definition import Definition
from circuit_export.diagnostics import Diagnostic
from circuit_export.formats.base import Rule, Surroundings
from circuit_export.formats.steps import document, rules
from circuit_export.formats.steps.document import StepsDocument
from circuit_export.validation import check
from circuit_export.validation.project import read_candidate

RULES = rules.rules()
FOLDER = Path(rules.__file__).parent


def around(rule: Rule) -> Surroundings:
    called = [document.load(Definition(text, "steps")) for text in rule.workflows]
    return Surroundings({board.id: board for board in called} if called else None, rule.tools)


def findings(rule: Rule, text: str) -> list[Diagnostic]:
    board: StepsDocument = document.load(Definition(text, "steps", "example.json"))
    return [*board.notes, *rules.check(board, around(rule))]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
class TestExamples:
    def test_the_bad_one_has_exactly_this_finding(self, rule: Rule) -> None:
        (read,) = read_candidate(rule.bad.encode("utf-8"), "example.json")
        assert [(found.code, found.name, found.severity) for found in check.findings(read, around(rule))] == [
            (rule.code, rule.name, rule.severity)
        ]

    def test_the_good_one_has_none(self, rule: Rule) -> None:
        (read,) = read_candidate(rule.good.encode("utf-8"), "example.json")
        assert check.findings(read, around(rule)) == []

    def test_the_pointer_leads_somewhere(self, rule: Rule) -> None:
        for found in findings(rule, rule.bad):
            value = json.loads(rule.bad)
            for token in found.pointer.split("/")[1:]:
                value = value[int(token)] if isinstance(value, list) else value[token]

    def test_it_says_what_and_why(self, rule: Rule) -> None:
        assert rule.about.endswith(".")
        assert rule.why.endswith(".")
        assert rule.name.replace("-", "_") in rules.ABOUT


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_file_is_a_rule() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} - {"__init__"} == set(rules.ABOUT)
