"""Makes the server: one factory for every transport."""

from __future__ import annotations

import logging
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import Prompt
from mcp.server.mcpserver.tools.base import Tool
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    GetPromptResult,
    Implementation,
    InputRequiredResult,
    PromptReference,
    Resource,
    ResourceTemplateReference,
    ToolAnnotations,
)
from pydantic import PrivateAttr

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.likeness import nearest
from circuit_export.formats.wording import shown
from circuit_export.server.answers import Answer, label, refusal
from circuit_export.server.arguments import Arguments
from circuit_export.server.aside import aside, takes_long
from circuit_export.server.desk import BOARD, Desk
from circuit_export.server.prompts import ASKED, INSTRUCTIONS, PROMPTS
from circuit_export.server.quick import QuickCalls, wire_of
from circuit_export.server.ready import whole
from circuit_export.server.resources import COMPLETED, RUN_URI, add_resources, completed, listed
from circuit_export.server.tools import TOOLS
from circuit_export.server.tools.spec import APP_ONLY, Spec
from circuit_export.server.view.app import VIEW_URI, board_app, shows_none, view_meta

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.mcpserver import Context

T = TypeVar("T")

log = logging.getLogger("circuit")

ABOUT = "Design, run, keep and check workflows with the connectors you have."
PREFIX = "circuit_"
GATE = "circuit_answer"
FAULT = "This is a fault of the server, not of what you asked for. Nothing more is known here; its log says where."


class RawTool(Tool):
    """A tool that is handed its arguments as they came: a typed model would drop what it does not know, and answer
    in words that are not ours."""

    _spec: Spec = PrivateAttr()
    _desk: Desk = PrivateAttr()

    @classmethod
    def of(cls, spec: Spec, desk: Desk) -> RawTool:
        """The tool of a spec, for one workspace."""

        async def unused() -> CallToolResult:
            raise ToolError(spec.name)

        made = cls.from_function(
            unused,
            name=spec.name,
            title=spec.title,
            description=spec.about,
            annotations=_annotations(spec, desk),
            meta=_meta(spec, desk),
            structured_output=False,
        )
        tool: RawTool = made.model_copy(update={"parameters": spec.schema})  # type: ignore[assignment]
        tool._spec, tool._desk = spec, desk
        return tool

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Handles a call; whatever happens, the answer is one that the model can read."""
        return result_of(*await self.answered(arguments, context))

    async def answered(
        self, arguments: dict[str, Any], context: Context[Any, Any]
    ) -> tuple[Answer, Mapping[str, Any] | None]:
        """The answer to a call, and what the view paints of it."""
        if takes_long(self.name, arguments):
            return await aside(self._desk, lambda desk: self._handled(desk, arguments, context))
        return await self._handled(self._desk, arguments, context)

    async def _handled(
        self, desk: Desk, arguments: dict[str, Any], context: Context[Any, Any]
    ) -> tuple[Answer, Mapping[str, Any] | None]:
        given = Arguments(arguments, list(self._spec.schema["properties"]))
        try:
            if self.name == GATE and desk.rules.gate_answers == BOARD and shows_none(context):
                raise _nobody_there()
            answer = await self._spec.handle(desk, given)
        except CircuitError as error:
            answer = refusal(error)
        except Exception as fault:  # the session goes on; what was in the call stays out of the log
            log.error("%s failed: %s at %s", self.name, type(fault).__name__, _place(fault))
            answer = Answer(FAULT, failed=True)
        unread = given.unread() if self.name != "circuit_design" else []
        # Before the answer: what an answer ends with is often to be obeyed, or copied to its end.
        more = view_meta(answer, context, often=self._spec.often)
        return answer._replace(text="\n".join([*unread, answer.text])), more


def _nobody_there() -> CircuitError:
    """The error that a gate was answered where no board is: whoever did it, it was not the person at the board."""
    return CircuitError(
        "Nothing was reported: a person answers gates on the board, and this client shows none",
        hint="have the user open the workflow in a client that shows its board, and wait",
    )


def _place(fault: BaseException) -> str:
    """The file and line that a fault came from, without anything of what was worked on."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "nowhere" if trace is None else f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}"


def _annotations(spec: Spec, desk: Desk) -> ToolAnnotations:
    return ToolAnnotations(
        title=spec.title,
        read_only_hint=spec.reads,
        destructive_hint=spec.destroys,
        idempotent_hint=spec.repeatable,
        open_world_hint=spec.outside and desk.rules.allow_fetch,
    )


def _meta(spec: Spec, desk: Desk) -> dict[str, Any] | None:
    """A tool's metadata: which view shows what it answers, and who sees the tool. Older hosts read the flat key."""
    if not spec.draws:
        return None
    visible = APP_ONLY if spec.name == GATE and desk.rules.gate_answers == BOARD else spec.visible
    ui = {"resourceUri": VIEW_URI, **({"visibility": list(visible)} if visible else {})}
    return {"ui": ui, "ui/resourceUri": VIEW_URI}


def result_of(answer: Answer, more: Mapping[str, Any] | None = None) -> CallToolResult:
    """An answer as the protocol has it, with `more`, what the view paints of it."""
    return CallToolResult.model_validate(wire_of(answer, more), by_name=False)


class CircuitServer(MCPServer):
    """A server whose list of resources is what its workspace holds."""

    desk: Desk

    async def run_streams(self, incoming: Any, outgoing: Any) -> None:
        """Serves one client over streams of messages, until the incoming one ends."""
        served = self._lowlevel_server
        await served.run(incoming, outgoing, served.create_initialization_options())

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Calls a tool. Raises ToolError, with the one that was probably meant, when there is none."""
        if self._tool_manager.get_tool(name) is None:
            words = {tool.name.removeprefix(PREFIX): tool.name for tool in self._tool_manager.list_tools()}
            near = nearest(label(name).removeprefix(PREFIX), list(words))
            raise ToolError(f"Unknown tool: {label(name)}" + (f"; did you mean {words[near]}?" if near else ""))
        return await super().call_tool(name, arguments, context)

    async def list_resources(self) -> list[Resource]:
        """What is fixed, then every workflow and the newest runs. Raises MCPError when the store cannot be read."""
        found = [
            Resource(
                uri=entry.uri,
                name=whole(entry.name),
                description=whole(entry.description),
                mime_type=entry.mime_type,
            )
            for entry in await _asked(listed(self.desk))
        ]
        return [*await super().list_resources(), *found]

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """A prompt. Raises MCPError for one that there is not, and for arguments that do not go with it."""
        prompts = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in prompts:
            raise MCPError(INVALID_PARAMS, f"There is no prompt {shown(name)}; there are {', '.join(prompts)}")
        takes = {argument.name: argument.required for argument in prompts[name].arguments or ()}
        wrong = [word for word, required in takes.items() if required and word not in (arguments or {})]
        wrong += [word for word in arguments or {} if word not in takes]
        if wrong:
            takes_what = f"takes {', '.join(takes)}" if takes else "takes no arguments"
            raise MCPError(INVALID_PARAMS, f"{shown(name)} {takes_what}; missing or unknown: {', '.join(wrong)}")
        return await super().get_prompt(name, arguments, context)


async def _asked(what: Awaitable[T]) -> T:
    """What a store was asked for. Raises MCPError, which says why it does not say."""
    try:
        return await what
    except CircuitError as error:
        raise MCPError(INTERNAL_ERROR, error.block()) from None


async def promise_nothing(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Leaves out what the server does not offer: who reads `listChanged` at all may take it for a promise."""
    result = await call_next(ctx)
    if ctx.method in ("initialize", "server/discover") and isinstance(result, dict):
        for kind in ("tools", "resources", "prompts"):
            offered = result["capabilities"].get(kind, {})
            result["capabilities"][kind] = {word: value for word, value in offered.items() if value}
    return result


def make_server(desk: Desk, specs: Sequence[Spec] = TOOLS) -> CircuitServer:
    """The server of one workspace, for any transport."""
    tools: list[Tool] = [RawTool.of(spec, desk) for spec in specs]
    me = Implementation(name="circuit", title="Circuit", description=ABOUT, version=version("circuit-export"))
    server = CircuitServer(
        me.name,
        title=me.title,
        description=me.description,
        instructions=INSTRUCTIONS,
        version=me.version,
        tools=tools,
        subscriptions=False,
        extensions=[board_app()],
        middleware=[promise_nothing, QuickCalls(tools, me)],
        log_level="WARNING",
    )
    server.desk = desk
    for name, title, make in PROMPTS:
        prompt = Prompt.from_function(make, name=name, title=title, description=make.__doc__)
        for argument in prompt.arguments or ():
            argument.description = ASKED[argument.name]
        server.add_prompt(prompt)
    add_resources(server, desk)
    _add_completions(server, desk)
    return server


def _add_completions(server: MCPServer, desk: Desk) -> None:
    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        kind = ""
        if isinstance(ref, ResourceTemplateReference) and argument.name == "id":
            kind = "run" if ref.uri == RUN_URI else "workflow"
        elif isinstance(ref, PromptReference) and argument.name == "workflowId":
            kind = "workflow"
        if not kind:
            return None
        found = await _asked(completed(desk, kind, argument.value))
        return Completion(values=found[:COMPLETED], total=len(found), has_more=len(found) > COMPLETED)

    decorator: Callable[[object], object] = server.completion()  # type: ignore[no-untyped-call]
    decorator(complete)
