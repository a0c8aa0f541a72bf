"""What is asked for as a prompt, and what the server says that it offers."""

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS
from support.serving import Session, talk

from circuit_export.server.app import make_server


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


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_nothing_is_promised_that_is_not_kept(mode: str) -> None:
    async def script(session: Session) -> None:
        async with Client(make_server(session.desk), mode=mode) as client:  # type: ignore[arg-type]
            offered = client.server_capabilities.model_dump(mode="json", by_alias=True, exclude_none=True)
            assert [offered[kind] for kind in ("tools", "resources", "prompts", "completions")] == [{}, {}, {}, {}]

    talk(script)
