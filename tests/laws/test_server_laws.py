"""Whatever a tool is called with: an answer, never a fault, and the session goes on."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.serving import Session, talk

from circuit_export.server.app import FAULT
from circuit_export.server.tools import TOOLS

WORDS = st.sampled_from(
    ["kept", "start", "send", "out", "", "trigger.ask", "flow.call", "run_0001", "a/b", "../x", "{{item}}", "é\u2028"]
)
SCALARS = st.none() | st.booleans() | st.integers(-2, 2**70) | st.floats(allow_nan=False) | WORDS
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=8
)


def shaped(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema more often than not."""
    if "oneOf" in schema:
        return st.one_of(*map(shaped, schema["oneOf"])) | ANYTHING
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | WORDS
    kind = schema.get("type")
    if kind == "object" and "properties" in schema:
        needed = set(schema.get("required", ()))
        fitting = {name: shaped(inner) | ANYTHING for name, inner in schema["properties"].items()}
        return st.fixed_dictionaries(
            {name: fitting[name] for name in fitting if name in needed},
            optional={name: fitting[name] for name in fitting if name not in needed},
        )
    if kind == "array":
        return st.lists(shaped(schema["items"]), max_size=4)
    return {"string": WORDS, "boolean": st.booleans(), "integer": st.integers(-1, 9)}.get(str(kind), ANYTHING)


CALLS = st.sampled_from(TOOLS).flatmap(lambda spec: st.tuples(st.just(spec.name), shaped(spec.schema)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(CALLS, min_size=1, max_size=12))
def test_nonsense_is_answered(calls: list[tuple[str, dict[str, Any]]]) -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="kept")
        await session.good("run", workflowId="kept", input={"voice": "x"})
        for name, arguments in calls:
            said = await session.call(name.removeprefix("circuit_"), **arguments)
            assert said.text
            assert FAULT not in said.text, (name, arguments)
        await session.good("list")

    talk(script)
