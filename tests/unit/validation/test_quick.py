"""With the quick validator and without it the findings are identical: it only says valid or not, and is not believed
about anything else."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.formats.json_text import parse
from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.validation import schema

QUICK = jsonschema_rs.Draft202012Validator(json.loads(schema.schema_text("steps")))

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "x", "{{x}}", "5", "retry", "exists"])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["field", "op", "name", "to", "port", "do", "attempts", "maxWords"]), inner, max_size=3
        )
    ),
    max_leaves=5,
)
steps = st.fixed_dictionaries(
    {"id": st.text(max_size=2), "type": st.sampled_from(list(CATALOG)), "title": st.just("x")},
    optional={
        "config": st.dictionaries(
            st.sampled_from(["all", "labels", "maxWords", "limit", "fields"]), values, max_size=3
        ),
        "next": values,
        "onError": values,
        "position": values,
    },
)


def found(value: Any, quick: Any) -> list[tuple[str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_quick", lambda _name: quick)
        return [(one.pointer, one.message) for one in schema.shape_findings(value, "steps")]


@settings(max_examples=150, deadline=None)
@given(st.lists(steps, min_size=1, max_size=2))
def test_the_findings_are_identical(items: list[Any]) -> None:
    value = {"circuit": 1, "name": "x", "steps": items}
    assert found(value, QUICK) == found(value, None)


@pytest.mark.parametrize(
    "text",
    [
        '{"circuit": 1.0, "name": "x", "steps": [{"id": "a", "type": "trigger.ask", "title": "x"}]}',
        '{"circuit": 1, "name": "x", "steps": [{"id": "a", "type": "trigger.ask", "title": "\\ud800"}]}',
        '{"circuit": 1, "name": "x", "steps": [{"id": "a", "type": "logic.each", "title": "x", '
        '"config": {"list": "trigger", "limit": 1e400}}]}',
        '{"circuit": 1, "name": "x", "steps": [{"id": "a", "type": "logic.each", "title": "x", '
        '"config": {"list": "trigger", "limit": 3.50}}]}',
    ],
)
def test_odd_values_too(text: str) -> None:
    value = parse(text).value
    assert found(value, QUICK) == found(value, None)
