"""What is asked for as a prompt, and what the server says that it offers."""

import re
from collections.abc import Callable

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS
from support.serving import Session, talk

from circuit_export.server.app import make_server
from circuit_export.server.prompts import INSTRUCTIONS, circuit_build, circuit_check, circuit_open, circuit_save
from circuit_export.server.tools import TOOLS


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("circuit-nothing", {}, "circuit-build, circuit-open, circuit-save, circuit-check"),
        ("circuit-build", {}, "“circuit-build” takes what; missing or unknown: what"),
        ("circuit-build", {"what": "x", "why": "y"}, "missing or unknown: why"),
        ("circuit-check", {"what": "x"}, "“circuit-check” takes no arguments; missing or unknown: what"),
    ],
)
def test_a_prompt_that_cannot_be_given_is_refused_in_words(
    mode: str, name: str, arguments: dict[str, str], said: str
) -> None:
    async def script(session: Session) -> None:
        async with Client(make_server(session.desk), mode=mode) as client:  # type: ignore[arg-type]
            with pytest.raises(MCPError) as refused:
                await client.get_prompt(name, arguments)
            assert refused.value.error.code == INVALID_PARAMS
            assert said in refused.value.error.message

    talk(script)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: circuit_build("answer my post"),
            "answer my post · circuit_catalog · circuit_bind · one circuit_design call · my own connectors · "
            "is an input · approval before anything is sent · before you run it",
        ),
        (
            lambda: circuit_open("wf_1"),
            "wf_1 · circuit_open · what it does · connectors and inputs it needs · circuit_validate",
        ),
        (lambda: circuit_save("wf_2"), "wf_2 · circuit_export · exactly as it is · artifact · the link"),
        (circuit_check, "circuit_health · have stopped · the scheduled task of each"),
        (
            lambda: INSTRUCTIONS,
            "no integrations and keeps no credentials · circuit_catalog once · circuit_bind once per conversation · "
            "whole workflow in one circuit_design call · tools from your own list; say so when nothing fits · "
            "one directive · until act is done · Never batch, skip or reorder · When act is ask, stop · "
            "Report a failure as “error” · filled in by the server · circuit_health says what has quietly stopped",
        ),
    ],
    ids=["build", "open", "save", "check", "instructions"],
)
def test_what_a_model_is_told(make: Callable[[], str], said: str) -> None:
    text = " ".join(make().split())
    assert [phrase for phrase in said.split(" · ") if phrase not in text] == []


def test_instructions_name_only_tools_that_there_are() -> None:
    names = {spec.name for spec in TOOLS}
    told = [INSTRUCTIONS, circuit_build(""), circuit_open(""), circuit_save(""), circuit_check()]
    assert {name for text in told for name in re.findall(r"circuit_[a-z_]+", text)} <= names
    for spec in TOOLS:
        assert set(re.findall(r"circuit_[a-z_]+", spec.about)) <= names


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_nothing_is_promised_that_is_not_kept(mode: str) -> None:
    async def script(session: Session) -> None:
        async with Client(make_server(session.desk), mode=mode) as client:  # type: ignore[arg-type]
            offered = client.server_capabilities.model_dump(mode="json", by_alias=True, exclude_none=True)
            assert [offered[kind] for kind in ("tools", "resources", "prompts", "completions")] == [{}, {}, {}, {}]

    talk(script)
