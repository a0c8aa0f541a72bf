"""Skill graphs are loaded without losing anything, drawn if they can be, and refused in plain words if not."""

import json
from typing import Any

import pytest
from support.skills import graph, node

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.skills import FORMAT
from circuit_export.formats.skills.document import Point, Unreadable, dump, load, load_value, recognise


def loaded(value: Any) -> Any:
    return load(Definition(json.dumps(value), "skills", "release.json"))


def test_a_node_is_read_as_written() -> None:
    item = node(
        "a",
        label="Draft",
        description="Writes it",
        execution={"model": " m-1 "},
        input={"prompt": "go"},
        position={"x": -3, "y": 0.5},
    )
    found = loaded(graph([item])).nodes[0]
    assert (found.id, found.label, found.description, found.model) == ("a", "Draft", "Writes it", "m-1")
    assert found.input == {"prompt": "go"}
    assert found.position == Point(-3, 0.5)
    assert (found.ref.source, found.ref.provider, found.ref.file) == (
        "repository",
        "claude",
        ".claude/skills/a/SKILL.md",
    )


def test_a_null_source_counts_as_none() -> None:
    item = node("a")
    item["skillRef"]["source"] = None
    assert loaded(graph([item])).nodes[0].ref.source == "repository"


@pytest.mark.parametrize("position", [None, {"x": 1}, {"x": True, "y": 1}, [1, 2]])
def test_half_a_position_is_none(position: Any) -> None:
    assert loaded(graph([node("a", position=position)])).nodes[0].position is None


def test_the_name_falls_back_to_the_id_and_the_file() -> None:
    assert loaded(graph(["a"], name="Release notes")).name == "Release notes"
    assert loaded(graph(["a"])).name == "w"
    assert loaded(graph(["a"], id="")).name == "release"


def test_of_two_nodes_with_one_id_the_first_is_meant() -> None:
    document = loaded(graph(["a", node("a", label="second")]))
    found = document.node("a")
    assert found is not None
    assert (found.index, len(document.nodes)) == (0, 2)


@pytest.mark.parametrize(
    ("value", "message", "code"),
    [
        ([], "A skill graph is an object", "C700"),
        (graph(["a"], version=0.1), "The “version” of a skill graph is the text “0.1”", "C702"),
        (graph([]), "This graph has no node", "C709"),
        (graph(["a", None]), "Node 2 is null", "C710"),
        (graph([node("")]), "Node 1 has a text as its “id”; it is empty", "C711"),
        ({**graph(["a"]), "nodes": "a"}, "A skill graph has a list of “nodes”", "C707"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_all_findings(value: Any, message: str, code: str) -> None:
    with pytest.raises(Unreadable, match=message) as caught:
        loaded(value)
    assert caught.value.where.startswith("release.json:1:")
    assert code in [found.code for found in caught.value.findings]


def test_what_can_be_drawn_is_not_refused() -> None:
    document = loaded(graph([{"id": "a"}], [("a", "nowhere")], repositoryId=None))
    assert [found.id for found in document.nodes] == ["a"]


def test_broken_json_is_an_error_with_its_place() -> None:
    with pytest.raises(CircuitError) as caught:
        load(Definition('{"version": "0.1",\n "nodes": [}', "skills", "x.json"))
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) == (2, 12)


@pytest.mark.parametrize("literal", ["NaN", "Infinity"])
def test_what_json_does_not_have_is_refused(literal: str) -> None:
    with pytest.raises(CircuitError, match="no value in JSON"):
        load(Definition(json.dumps(graph(["a"], extra=0)).replace('"extra": 0', f'"extra": {literal}'), "skills"))


def test_a_doubled_member_is_said() -> None:
    text = json.dumps(graph(["a"])).replace('"id": "w"', '"id": "v", "id": "w"')
    document = load(Definition(text, "skills"))
    assert document.id == "w"
    assert [(note.code, note.pointer) for note in document.notes] == [("C701", "/id")]


def test_unknown_members_are_said_once_for_each_kind_of_place() -> None:
    items = [node("a", colour="red"), node("b", colour="blue", position={"x": 1, "y": 2, "z": 3})]
    document = loaded(graph(items, tags=[]))
    assert [(note.code, note.pointer) for note in document.notes] == [
        ("C727", "/tags"),
        ("C727", "/nodes/0/colour"),
        ("C727", "/nodes/1/position/z"),
        ("C728", "/nodes/0/position"),
    ]
    assert "(2 times)" in document.notes[1].message


def test_a_value_is_written_with_two_spaces_and_everything_kept() -> None:
    value = graph([node("ü", colour={"b": 1, "a": [1.0, -0.0]})])
    text = dump(value)
    assert '\n  "version": "0.1"' in text
    assert '\n      "id": "ü"' in text
    assert json.loads(text) == value
    assert load_value(value).value is value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps(graph(["a"])), True),
        (json.dumps(graph([])), True),
        (" \n" + json.dumps(graph(["a"], version="9")), True),
        (json.dumps({"circuit": 1, "steps": []}), False),
        (json.dumps({"version": "1", "nodes": [{"type": "n8n"}], "edges": []}), False),
        (json.dumps({"version": 1, "nodes": [], "edges": []}), False),
        (json.dumps({"nodes": [{"skillRef": None}]}), True),
        (json.dumps({**graph(["a"]), "nodes": {}}), True),
        (json.dumps({"repositoryId": "r"}), False),
        ('{"version": "0.1", "nodes": [], "edges": []', False),
        ('{"nodes": ' * 100_000, False),
        ("[]", False),
        ("", False),
    ],
)
def test_recognising(text: str, expected: bool) -> None:
    assert recognise(text) is expected


def test_a_broken_graph_is_still_claimed() -> None:
    assert FORMAT.claims('{"nodes": [{"skillRef": ')
    assert not FORMAT.claims('{"circuit": 1, "steps": [')
    assert not FORMAT.claims('say "skillRef"')
