"""A skill graph as a picture: chips, wires, places, facts and sections."""

from typing import Any

from support.skills import graph, node

from circuit_export.board.layout import layout
from circuit_export.board.model import Actor, Board, Place
from circuit_export.formats.skills.document import Point, load_value
from circuit_export.formats.skills.front_matter import SkillCard
from circuit_export.formats.skills.picture import picture
from circuit_export.formats.skills.places import places


def drawn(value: Any, **skills: SkillCard) -> Board:
    return picture(
        load_value(value).with_skills({f".claude/skills/{name}/SKILL.md": card for name, card in skills.items()})
    )


def text(cell: Any) -> str:
    return "".join(span.text for span in cell)


def test_a_chip_says_who_runs_what() -> None:
    chip = drawn(graph([node("a", label="Draft it")])).chips[0]
    assert (chip.verb, chip.title, chip.summary) == ("claude", "Draft it", ".claude/skills/a/SKILL.md")
    assert chip.actor is Actor.CLAUDE


def test_with_the_repository_a_chip_says_what_the_skill_does() -> None:
    chip = drawn(graph(["a"]), a=SkillCard("Drafting", "Writes a draft\nof it.")).chips[0]
    assert (chip.title, chip.summary) == ("Drafting", "Writes a draft of it.")


def test_a_node_without_anything_is_still_drawn() -> None:
    chip = drawn(graph([{"id": "a"}])).chips[0]
    assert (chip.verb, chip.title, chip.summary) == ("skill", "a", "no skill is chosen yet")


def test_the_loop_limiter_is_no_agent() -> None:
    ref = {"source": "default", "provider": "codex", "skillFile": ".codex/skills/loop-limit/SKILL.md"}
    chip = drawn(graph([node("limit", skillRef=ref, input={"arguments": "3 rounds"})])).chips[0]
    assert (chip.actor, chip.summary) == (Actor.CIRCUIT, "ends the loop after 3 rounds")


def test_wires_follow_the_edges_and_loose_ends_are_listed() -> None:
    board = drawn(graph(["a", "b"], [("a", "b"), ("a", "b"), ("a", "zz"), ("zz", "b")]))
    assert [(wire.source, wire.port, wire.target) for wire in board.wires] == [(0, "out", 1)]
    assert [(wire.source, wire.to) for wire in board.loose] == [(0, "zz")]


def test_it_starts_at_the_first_root() -> None:
    assert drawn(graph(["a", "b"], [("b", "a")])).entry == 1


def test_what_is_handed_on() -> None:
    board = drawn(graph(["a", node("b", input={"p": "${steps.a.output} ${steps.zz.output}", "timeoutMs": 90_000})]))
    assert board.chips[1].notes == ("It takes the output of “a”.", "It is stopped after 90 seconds.")
    assert board.chips[1].config == (
        ("skill", ".claude/skills/b/SKILL.md"),
        ("input · p", "${steps.a.output} ${steps.zz.output}"),
        ("input · timeoutMs", "90000"),
    )
    handed = next(section for section in board.sections if section.slug == "outputs")
    assert [tuple(map(text, row)) for row in handed.rows] == [("b", "a"), ("b", "zz, which is no step")]


def test_the_skills_it_needs() -> None:
    system = {"source": "system", "provider": "codex", "systemSkillId": "codex:imagegen"}
    board = drawn(graph([node("a"), node("b", skillRef=node("a")["skillRef"]), node("c", skillRef=system)]))
    needed = next(section for section in board.sections if section.slug == "skills")
    assert [tuple(map(text, row)) for row in needed.rows] == [
        ("a", "claude", "the repository", ".claude/skills/a/SKILL.md", "a, a"),
        ("imagegen", "codex", "the provider itself", "codex:imagegen", "imagegen"),
    ]


def test_numbers_without_measure_are_drawn_too() -> None:
    items = [
        node("a", position={"x": 10**400, "y": 0}, input={"timeoutMs": 10**400}),
        node("b", position={"x": -(10**400), "y": 0}),
    ]
    board = drawn(graph(items))
    assert [chip.position for chip in board.chips] == [Place(1, 0), Place(0, 0)]
    assert board.chips[0].notes == ("It is stopped after 60 minutes.",)


def test_the_order_it_runs_in() -> None:
    def order(edges: list[tuple[str, str]]) -> tuple[list[str], str]:
        found = drawn(graph(["a", "b", "c"], edges)).sections[0]
        return [text(row[0]) for row in found.rows], found.intro.split()[0]

    assert order([("c", "a")]) == (["b", "c", "a"], "One")
    assert order([("c", "a"), ("a", "c")]) == (["a", "b", "c"], "It")


def test_lone_surrogates_are_replaced_everywhere() -> None:
    board = drawn(graph([node("a", label="\ud800x")], name="\udfff"))
    assert (board.chips[0].title, board.name) == ("�x", "�")


def test_pixels_become_cells_in_the_same_order() -> None:
    points = [Point(0, 0), Point(260, 5), Point(250, 180), Point(520.5, -40), Point(530, 0)]
    assert places(points) == [Place(0, 0), Place(1, 0), Place(1, 1), Place(2, 0), Place(2, 1)]


def test_positions_count_only_if_every_node_has_one() -> None:
    some = [node("a", position={"x": 300, "y": 0}), node("b")]
    assert [chip.position for chip in drawn(graph(some)).chips] == [None, None]
    every = [node("a", position={"x": 300, "y": 0}), node("b", position={"x": -1e300, "y": 1e300})]
    assert [chip.position for chip in drawn(graph(every)).chips] == [Place(1, 0), Place(0, 1)]


def test_chips_are_numbered_in_the_order_in_which_they_run() -> None:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e")]
    board = drawn(graph(["a", "b", "d", "e", "c"], edges))
    names = [board.chips[chip].id for chip in layout(board).walk]
    assert names == ["a", "b", "c", "d", "e"]


def test_a_loop_is_numbered_as_its_rounds_run() -> None:
    board = drawn(graph(["b", "a"], [("a", "b"), ("b", "a")]))
    assert layout(board).walk == (0, 1)
