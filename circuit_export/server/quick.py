"""Answers a plain call of one of our tools as the protocol has it, without the checks that a stranger's tool needs.

The library validates what a tool answers three times and writes it as often as it stands in the answer, which costs
more than the step of a run does. What is not a plain call (unknown tools, more parameters, a client that has not said
hello) goes the library's own way, and both ways give the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context
from mcp.types import SERVER_INFO_META_KEY, Implementation
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from circuit_export.server.ready import ready, whole

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.mcpserver.tools.base import Tool

    from circuit_export.server.answers import Answer

_PLAIN = frozenset(("name", "arguments", "_meta"))


class QuickCalls:
    """What stands before the library's handlers; `tools` are those that it answers for."""

    def __init__(self, tools: Iterable[Tool], me: Implementation) -> None:
        self._tools: Mapping[str, Any] = {tool.name: tool for tool in tools}
        self._me = me.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        tool = self._called(ctx)
        if tool is None or ctx.params is None:
            return await call_next(ctx)
        arguments = ctx.params.get("arguments")
        answer, shown = await tool.answered(arguments or {}, Context(request_context=ctx))
        return self._stamped(ctx.protocol_version, wire_of(answer, shown))

    def _called(self, ctx: ServerRequestContext[Any, Any]) -> Any:
        """The `RawTool` that is plainly called; None for everything else."""
        params = ctx.params
        if ctx.method != "tools/call" or ctx.request_id is None or params is None or not _PLAIN.issuperset(params):
            return None
        if "_meta" in params and ctx.meta is None:
            return None
        if ctx.request is None and ctx.session.client_capabilities is None:  # over HTTP each request stands alone
            return None
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not (arguments is None or isinstance(arguments, dict)):
            return None
        return self._tools.get(name)

    def _stamped(self, protocol_version: str, result: dict[str, Any]) -> dict[str, Any]:
        """A result with what the newer protocols want in each: that it is complete, and whose it is."""
        if protocol_version in MODERN_PROTOCOL_VERSIONS:
            result["resultType"] = "complete"
            result["_meta"] = {**result.get("_meta", {}), SERVER_INFO_META_KEY: dict(self._me)}
        return result


def wire_of(answer: Answer, shown: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """An answer as it goes over the wire, with what the view paints of it, `shown`. The board is written once."""
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": whole(answer.text)}],
        "isError": answer.failed,
    }
    if answer.props is not None:
        props = ready(answer.props)
        result["structuredContent"] = props
        result["_meta"] = {"ui/props": props, "ui": {"props": props}, **(shown or {})}
    elif answer.structured is not None:
        result["structuredContent"] = ready(answer.structured)
    return result
