"""Laws of skill graphs: nothing is lost, the order keeps every edge, filling in is one pass, runs end as they must."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.skills import graph, node

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.skills import FORMAT
from circuit_export.formats.skills.document import load, load_value
from circuit_export.formats.skills.engine import Machine, Options, run_state
from circuit_export.formats.skills.front_matter import read_card
from circuit_export.formats.skills.placeholders import Refused, placeholders, substitute
from circuit_export.formats.skills.plan import plan, reachable
from circuit_export.formats.skills.rules import check, check_value
from circuit_export.runs.scenario import Reply, Scenario, play

some = settings(max_examples=60, deadline=None)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@st.composite
def links(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    count = draw(st.integers(1, 12))
    ends = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    return count, draw(st.lists(ends, max_size=2 * count))


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    """Graphs of any shape, with members that nobody knows."""
    ids = draw(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=6, unique=True))
    texts = st.text() | st.sampled_from([f"see ${{steps.{id}.output}}" for id in ids])
    items = [
        node(
            id,
            label=draw(st.text(max_size=8)),
            input={"v": draw(texts), "w": draw(values)},
            **draw(st.dictionaries(st.text(min_size=3, max_size=9).map("x-{}".format), values, max_size=2)),
        )
        for id in ids
    ]
    edges = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from([*ids, "nowhere"])), max_size=8))
    return graph(items, edges, name=draw(st.text(max_size=8)), extra=draw(values))


@some
@given(graphs())
def test_nothing_is_lost(value: dict[str, Any]) -> None:
    text = FORMAT.dump(value)
    assert FORMAT.recognise(text)
    document = load(Definition(text, "skills"))
    assert document.definition.text == text
    assert FORMAT.dump(document.value) == text
    assert json.dumps(document.value) == json.dumps(value)


@some
@given(graphs())
def test_every_node_is_a_chip_and_every_edge_is_drawn_or_listed(value: dict[str, Any]) -> None:
    document = load_value(value)
    board = FORMAT.picture(document, {})
    assert [chip.id for chip in board.chips] == [
        item["id"].encode("utf-16", "surrogatepass").decode("utf-16", "replace") for item in value["nodes"]
    ]
    drawn = {(document.nodes[wire.source].id, document.nodes[wire.target].id) for wire in board.wires}
    assert drawn == {(e.source, e.target) for e in document.edges if e.target in document.by_id}
    assert len(board.loose) == sum(edge.target not in document.by_id for edge in document.edges)


@some
@given(values)
def test_any_value_is_drawn_or_refused_and_has_its_findings(value: Any) -> None:
    findings = check_value(value)
    try:
        document = load_value(value)
    except CircuitError as error:
        assert findings
        assert error.block()
    else:
        assert check(document) == findings


@some
@given(st.binary(max_size=200) | graphs().map(lambda value: json.dumps(value).encode()[:-3]))
def test_any_text_is_read_or_refused(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        load(Definition(text, "skills"))
    except CircuitError as error:
        assert error.block()


@settings(max_examples=200, deadline=None)
@given(links())
def test_the_order_keeps_every_edge_or_a_cycle_is_named(found: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = found
    order, cycle, roots = plan(count, edges)
    assert bool(order) != bool(cycle)
    if order:
        assert sorted(order) == list(range(count))
        place = {one: at for at, one in enumerate(order)}
        assert all(place[source] < place[target] for source, target in edges)
    else:
        assert all(pair in edges for pair in zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        assert len(set(cycle)) == len(cycle)
    assert roots


@settings(max_examples=100, deadline=None)
@given(links())
def test_ways_are_found_as_by_trying_all(found: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = found
    ways = set(edges)
    for middle in range(count):
        ways |= {(a, b) for a in range(count) for b in range(count) if {(a, middle), (middle, b)} <= ways}
    every = [(source, target) for source in range(count) for target in range(count)]
    assert reachable(count, edges, every) == ways


pieces = st.sampled_from(["${steps.", "a", ".output}", "}", "$", "${steps.a.output}", "${steps.b.output}", "x", r"\1"])


@some
@given(st.lists(pieces, max_size=8).map("".join), st.lists(pieces, max_size=5).map("".join))
def test_filling_in_is_one_literal_pass(text: str, output: str) -> None:
    results = {id: {"status": "success", "output": output} for id in "ab"}
    filled = substitute({"v": text}, results)
    found = placeholders(text)
    if any(one.id not in ("a", "b") for one in found):
        assert isinstance(filled, Refused)
        return
    expected, at = "", 0
    for start, end, _ in found:
        expected, at = expected + text[at:start] + output, end
    assert filled == {"v": expected + text[at:]}


@some
@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(["---\n", "name: x\n", " y\n", ">\n", "a: |\n", "\r\n", "#"])).map("".join)
)
def test_any_text_has_a_card(text: str) -> None:
    for compat in (True, False):
        card = read_card(text, "folder", compat=compat)
        assert isinstance(card.name, str)
        assert card.name or compat


answers = st.one_of(
    values.map(lambda value: Reply("result", value)),
    st.text(max_size=5).map(lambda text: Reply("error", text)),
    st.sampled_from(["success", "failed", "timeout", "cancelled"]).map(
        lambda s: Reply("result", {"status": s, "output": 1})
    ),
    st.just(Reply("result", {"loopComplete": True})),
)
moves = st.lists(
    st.sampled_from(["report", "fail", "late", "wrong", "nonsense", "save", "wait", "cancel"]), max_size=20
)


def build(found: tuple[int, list[tuple[int, int]]], goes_on: bool) -> dict[str, Any]:
    count, edges = found
    return graph([f"n{at}" for at in range(count)], [(f"n{a}", f"n{b}") for a, b in edges], continueOnFailure=goes_on)


@some
@given(links(), st.booleans(), st.lists(answers, min_size=1, max_size=4), st.booleans())
def test_every_run_ends_and_the_same_answers_give_the_same_trace(
    found: tuple[int, list[tuple[int, int]]], goes_on: bool, replies: list[Reply], cycles: bool
) -> None:
    engine = Machine(load_value(build(found, goes_on)), Options(allow_cycles=cycles, rounds=4))
    scenario = Scenario(0, "any", answers={node.id: tuple(replies) for node in engine.document.nodes})
    one, other = play(engine, scenario), play(engine, scenario)
    assert one.lines == other.lines
    assert run_state(one.run)["status"] in {"success", "failed", "cancelled", "timeout"}
    assert set(one.run["nodeStates"].values()) <= {"success", "failed", "cancelled", "timeout", "skipped"}
    called = [line.split()[1] for line in one.lines if line.startswith("run_skill ")]
    if one.run["runMode"] == "dag":
        assert called == [id for id in engine.order if id in called]


@some
@given(links(), moves)
def test_nothing_is_taken_twice_and_nothing_late(found: tuple[int, list[tuple[int, int]]], made: list[str]) -> None:
    engine = Machine(load_value(build(found, True)), Options(allow_cycles=True, rounds=2))
    run = engine.start("r", "now")
    asked = engine.advance(run, "now")
    for move in made:
        before = json.dumps(run)
        awaited = run["awaiting"]
        if move == "save":
            run = json.loads(before)
            assert engine.advance(run, "now") == asked
        elif move in ("wrong", "late", "nonsense"):
            step, turn = asked.get("stepId", ""), asked["turn"]
            value: Any = {1} if move == "nonsense" else 1
            engine.report(run, "now", "zz" if move == "wrong" else step, value, turn - 1 if move == "late" else turn)
            assert json.dumps(run) == before
        elif awaited is None:
            assert engine.report(run, "now", "n0", 1)["act"] == "blocked"
            assert json.dumps(run) == before
        elif move == "wait":
            engine.event(run, awaited["stepId"], {"type": "approval_required"})
        elif move == "cancel":
            asked = engine.cancel(run, "now")
            assert run_state(run)["status"] == "cancelled"
        else:
            take = engine.report if move == "report" else engine.fail
            asked = take(run, "now", awaited["stepId"], "it", awaited["turn"])
        assert json.loads(json.dumps(run)) == run
