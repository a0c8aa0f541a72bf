"""Laws of boards: nothing is lost, nonsense is a clear error, and no write is called guarded that is not."""

import copy
import json
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.steps.catalog import CATALOG, PARTS, Value, error_port, ports
from circuit_export.formats.steps.document import StepsDocument, dump, load, load_value, recognise
from circuit_export.formats.steps.guards import all_writes, targets
from circuit_export.formats.steps.picture import picture

LAW = settings(max_examples=80, deadline=None)

texts = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(["{{item.x}}", "out", "a", "</pre>", "\ud800"])
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
ids = st.sampled_from(["a", "b", "c", "d", "é", ""])


def setting(value: Value) -> st.SearchStrategy[Any]:
    """A value that fits, often enough, what a setting holds."""
    if value in PARTS:
        return st.lists(st.fixed_dictionaries({part.name: texts for part in PARTS[value]}), max_size=3)
    if value in (Value.PATHS, Value.NAMES):
        return st.lists(texts, max_size=3)
    return texts | st.integers(0, 20) | st.booleans()


@st.composite
def configs(draw: st.DrawFn, type: str) -> dict[str, Any]:
    known = {key.name: setting(key.value) for key in CATALOG[type].keys} if type in CATALOG else {}
    config = draw(st.fixed_dictionaries({}, optional=known))
    return {**config, **draw(st.dictionaries(texts, values, max_size=1))}


@st.composite
def steps(draw: st.DrawFn) -> dict[str, Any]:
    type = draw(st.sampled_from([*CATALOG, "magic.do"]))
    wires = st.lists(st.fixed_dictionaries({"to": ids}, optional={"port": texts}), max_size=3)
    optional = {
        "enabled": st.booleans(),
        "onError": st.fixed_dictionaries({"do": st.sampled_from(["stop", "skip", "retry", "route"])}),
        "position": st.fixed_dictionaries({"col": st.integers(-1, 9), "lane": st.integers(-1, 9)}),
        "unheard-of": values,
    }
    required = {"id": ids, "type": st.just(type), "title": texts, "config": configs(type), "next": wires}
    return draw(st.fixed_dictionaries(required, optional=optional))


boards = st.fixed_dictionaries(
    {"circuit": st.just(1), "name": texts, "steps": st.lists(steps(), min_size=1, max_size=6)},
    optional={"description": texts, "entry": ids, "id": texts, "unheard-of": values, "x-circuit": values},
)


def exact(value: Any) -> str:
    """A value so that 1, 1.0 and true differ, and so does the order of keys."""
    return repr(value)


def joined(value: Any) -> Any:
    """A value as any JSON text holds it: two halves of a pair that stand side by side are one character."""
    return json.loads(json.dumps(value))


@LAW
@given(boards)
def test_a_board_keeps_every_value_key_and_order(value: dict[str, Any]) -> None:
    text = dump(value)
    document = load(Definition(text, "steps"))
    assert exact(document.value) == exact(joined(value))
    assert dump(document.value) == text
    text.encode("utf-8")
    assert recognise(text)


@LAW
@given(values)
def test_any_value_is_written_as_json_says(value: Any) -> None:
    assert exact(json.loads(dump(value))) == exact(joined(value))


@LAW
@given(boards)
def test_loading_leaves_the_value_alone_and_says_the_same_twice(value: dict[str, Any]) -> None:
    before = copy.deepcopy(value)
    first, second = load_value(value, "x.json"), load_value(value, "x.json")
    assert exact(value) == exact(before)
    assert first.notes == second.notes
    assert picture(first, {}) == picture(second, {})


@LAW
@given(boards)
def test_every_board_can_be_drawn(value: dict[str, Any]) -> None:
    document = load_value(value)
    board = picture(document, {"a": document})
    assert len(board.chips) == len(document.steps)
    assert len(board.wires) + len(board.loose) == sum(len(step.next) for step in document.steps)
    for wire in (*board.wires, *board.loose):
        assert wire.port in board.chips[wire.source].ports
    for chip, step in zip(board.chips, document.steps, strict=True):
        assert chip.title and chip.summary and len(set(chip.ports)) == len(chip.ports)
        assert len(chip.ports) >= len(ports(step)) >= 1
    json.dumps(board, ensure_ascii=False).encode("utf-8")  # no lone surrogate is left


@LAW
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_nonsense_is_a_clear_error(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    assert recognise(text) in (True, False)
    try:
        load(Definition(text, "steps"))
    except CircuitError as error:
        assert error.block()


@LAW
@given(boards, values, st.data())
def test_a_board_with_any_value_replaced_is_drawn_or_refused(
    value: dict[str, Any], odd: Any, data: st.DataObject
) -> None:
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        keys = range(len(item)) if isinstance(item, list) else list(item)
        places += [(item, key) for key in keys]
        waiting += [item[key] for key in keys if isinstance(item[key], dict | list)]
    holder, key = data.draw(st.sampled_from(places))
    holder[key] = odd
    try:
        document = load(Definition(dump(value), "steps"))
    except CircuitError as error:
        assert error.expected
        assert error.position is not None
        return
    assert picture(document, {}).chips


@LAW
@given(boards, st.integers(0, 400), st.text(max_size=3))
def test_a_text_with_a_piece_replaced_is_read_or_refused(value: dict[str, Any], at: int, piece: str) -> None:
    text = dump(value)
    at %= len(text)
    try:
        load(Definition(text[:at] + piece + text[at + 2 :], "steps"))
    except CircuitError as error:
        assert error.block()


def unguarded_by_trying(document: StepsDocument) -> set[int]:
    """The steps that some way reaches without an approval: every way is tried, which only small boards allow."""
    found: set[int] = set()

    def walk(index: int, seen: frozenset[int]) -> None:
        found.add(index)
        step = document.steps[index]
        gate = step.type == "gate.approve" and step.enabled
        for target, port in targets(document, step):
            if target not in seen and not (gate and port != error_port(step)):
                walk(target, seen | {target})

    walk(document.entry, frozenset({document.entry}))
    return found


graphs = st.lists(
    st.tuples(
        st.sampled_from(["gate.approve", "tool.call", "note.say", "logic.each"]),
        st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["out", "done", "error"])), max_size=3),
        st.booleans(),
        st.sampled_from([None, "route"]),
    ),
    min_size=1,
    max_size=7,
)


@LAW
@given(graphs)
def test_a_write_is_unguarded_exactly_when_some_way_has_no_approval(graph: list[Any]) -> None:
    document = load_value(
        {
            "circuit": 1,
            "name": "G",
            "steps": [
                {
                    "id": str(index),
                    "type": type,
                    "title": "T",
                    "config": {"tool": "Gmail:send"} if type == "tool.call" else {},
                    "next": [{"port": port, "to": str(to)} for to, port in wires],
                    "enabled": enabled,
                    **({"onError": {"do": do}} if do else {}),
                }
                for index, (type, wires, enabled, do) in enumerate(graph)
            ],
        }
    )
    open_ = unguarded_by_trying(document)
    for write in all_writes(document, {}):
        assert write.unguarded is (write.step.index in open_)
        if write.unguarded:
            way = [document.by_id[id] for id in write.way]
            assert way[0] == document.entry and way[-1] == write.step.index
            for here, there in pairwise(way):
                assert there in [target for target, _ in targets(document, document.steps[here])]
