"""The schema and its description: every example passes, every violation fails with the rule that it names."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from support.skills import VECTORS, graph, node, vectors

from circuit_export import resources
from circuit_export.diagnostics import Severity
from circuit_export.formats.skills.rules import check_value, rules
from circuit_export.formats.skills.rules.survey import Survey

SCHEMA: dict[str, Any] = json.loads((resources.folder("schemas") / "skills.schema.json").read_text("utf-8"))
PAGE = (resources.folder("schemas") / "SCHEMA.md").read_text("utf-8")
# Findings that are about the shape of single values; the others compare values, which no schema can.
SHAPE = {f"C7{number:02}" for number in (0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 26)}
SHAPE |= {"C729", "C740", "C741", "C744"}


BLOCK = re.compile(r"^## ([^\n]+)$|^```json(?: fails ([a-z0-9-]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONDITIONS = ("if", "then", "else")


class Block(NamedTuple):
    """A JSON block of the page: what it describes (a `$defs` entry) and the rule that it breaks, "" for none."""

    about: str
    fails: str
    value: Any


def blocks() -> Iterator[Block]:
    about = ""
    for found in re.finditer(
        r"^## ([^\n]+)$|^```json(?: fails ([a-z0-9-]+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    ):
        if found[1]:
            about = found[1].replace(" ", "")
        else:
            yield Block(about, found[2] or "", json.loads(found[3]))


BLOCKS = list(blocks())


def valid(about: str, value: Any) -> bool:
    schema = {**SCHEMA, "$ref": f"#/$defs/{about}"}
    return bool(Draft202012Validator(schema).is_valid(value))


def whole(block: Block) -> Any:
    """The document that a block stands in."""
    if block.about == "Workflow":
        return block.value
    if block.about == "Node":
        return graph([block.value])
    return {**graph(["collect", "write"]), "edges": [block.value]}


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"].keys() == {"Repository", "Skill", "Workflow", "Node", "SkillRef", "Edge", "RunState"}


def test_everything_is_explained() -> None:
    waiting: list[tuple[str, Any]] = [("", SCHEMA)]
    while waiting:
        pointer, item = waiting.pop()
        for name, property in item.get("properties", {}).items():
            if "$ref" not in property:
                assert property.get("title"), f"{pointer}/{name}"
                assert property.get("description"), f"{pointer}/{name}"
        inner = {key: value for key, value in item.items() if isinstance(value, dict) and key not in CONDITIONS}
        waiting += [(f"{pointer}/{key}", value) for key, value in inner.items()]


def test_every_definition_has_an_example() -> None:
    shown = {block.about for block in BLOCKS if not block.fails}
    assert shown == {"Workflow", "Node", "Edge", "Skill", "Repository", "RunState"}


@pytest.mark.parametrize("block", [block for block in BLOCKS if not block.fails], ids=lambda block: block.about)
def test_an_example_passes(block: Block) -> None:
    assert valid(block.about, block.value)
    if block.about in ("Workflow", "Node", "Edge"):
        assert [found for found in check_value(whole(block)) if found.severity is Severity.ERROR] == []


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.fails], ids=lambda block: block.fails)
def test_a_violation_fails_with_its_rule(block: Block) -> None:
    assert not valid(block.about, block.value)
    errors = [found.name for found in check_value(whole(block)) if found.severity is Severity.ERROR]
    assert errors == [block.fails]


def test_every_rule_that_the_page_names_is_shown_or_exists() -> None:
    named = set(re.findall(r"`([a-z]+(?:-[a-z0-9]+)+)`", PAGE))
    assert named - {"default-arguments", "default-prompt", "default-model", "argument-hint"} <= {
        rule.name for rule in rules()
    }
    assert {block.fails for block in BLOCKS} - {""} <= named


def documents() -> list[Any]:
    cases = [json.loads(path.read_text("utf-8")) for path in sorted((VECTORS / "cases").glob("[0-9]*.json"))]
    return cases + [vector["document"] for vector in vectors("validator_extra.json")]


def has_shape_errors(value: Any) -> bool:
    return any(found.code in SHAPE for found in check_value(value))


def ends_are_texts(value: Any) -> bool:
    """An end that is no text is, to the rules, an end that is no node; to the schema it has the wrong shape."""
    edges = value.get("edges") if isinstance(value, dict) else None
    listed = [edge for edge in edges if isinstance(edge, dict)] if isinstance(edges, list) else []
    return all(isinstance(edge.get(end), str) for edge in listed for end in ("source", "target"))


@pytest.mark.parametrize("value", documents(), ids=str)
def test_schema_and_rules_agree_on_the_vectors(value: Any) -> None:
    assert valid("Workflow", value) is (not has_shape_errors(value) and ends_are_texts(value))


TEXTS = ["", "x", "a", "b.c", "e0", "0.1", "skill", "system", "git", "../x", "C:/x", "${steps.b.output}", "${steps.a"]
values = st.sampled_from([None, True, 0, 0.1, [], {}, *TEXTS])
PLACES = [
    *(("version",), ("id",), ("repositoryId",), ("nodes",), ("edges",), ("continueOnFailure",)),
    *(("nodes", 0), ("nodes", 0, "id"), ("nodes", 0, "type"), ("nodes", 0, "skillRef"), ("nodes", 0, "input")),
    *(("nodes", 0, "skillRef", key) for key in ("source", "provider", "skillFile", "systemSkillId")),
    *(
        ("name",),
        ("x-circuit",),
        ("x-circuit", "allowCycles"),
        ("x-circuit", "ignore"),
        ("nodes", 0, "label"),
        ("nodes", 0, "x-circuit"),
        ("nodes", 0, "execution", "model"),
    ),
    *(("nodes", 0, "execution"), ("nodes", 0, "position"), ("nodes", 0, "position", "x")),
    *(("edges", 0), *(("edges", 0, key) for key in ("id", "kind", "source", "target"))),
    *(("nodes", 0, "input", "p"), ("nodes", 1, "id"), ("edges", 1, "id"), ("edges", 1, "source")),
]


def at(value: Any, place: tuple[Any, ...]) -> Any:
    """What stands at a place, None when nothing does."""
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.booleans(), values), max_size=3))
def test_schema_and_rules_agree_on_broken_graphs(changes: list[tuple[tuple[Any, ...], bool, Any]]) -> None:
    document = graph(
        [node("a", input={}, position={"x": 0, "y": 0}, execution={}), "b", "c"],
        [("a", "b"), ("b", "c")],
        **{"x-circuit": {}},
    )
    for place, removes, value in changes:
        parent = at(document, place[:-1])
        if isinstance(parent, dict) and isinstance(place[-1], str):
            parent.pop(place[-1], None) if removes else parent.update({place[-1]: copy.deepcopy(value)})
        elif isinstance(parent, list) and parent and place[-1] == 0:
            parent[0] = copy.deepcopy(value)
    assert valid("Workflow", document) is (not has_shape_errors(document) and ends_are_texts(document))
    survey = Survey(document)
    said = [said.code for rule in rules() if rule.check is not None for said in rule.check(survey)]
    assert sorted(found.code for found in check_value(document)) == sorted(said)  # no rule is left out that would speak


def test_the_page_is_beside_the_schema() -> None:
    assert (Path(resources.folder("schemas")) / "SCHEMA.md").is_file()
