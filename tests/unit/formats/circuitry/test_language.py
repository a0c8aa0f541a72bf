"""The language from Python, as its one module offers it."""

import pytest

from circuit_export.formats.circuitry import language

TEXT = 'in { a $a }\nb source="" { in { c $a }; out { c $c } }\nout { a $a; c $c }\n'


def test_a_text_is_inspected_run_and_traced_by_the_names_that_are_offered() -> None:
    assert language.inspect(TEXT).said == ()
    with pytest.raises(language.InvalidProgram):
        language.parse("a\n")
    records = list(language.run(TEXT, input={"a": 1}, terms=language.Terms(limits=language.Limits(generations=2))))
    assert records[-1]["output"] == {"a": 1, "c": 1}
    assert list(language.decode(language.encode(record).encode() for record in records)) == records
    assert language.tree(records)["generations"] == [[{"call": "b", "yields": [{"c": 1}], "bindings": {"c": 1}}]]
    assert all(hasattr(language, name) for name in language.__all__)
