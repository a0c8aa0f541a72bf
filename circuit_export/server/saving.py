"""How a board gets into the store: what is checked, what is refused, and what is only said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.board.text_clean import flat
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Diagnostic, Severity
from circuit_export.formats.base import Surroundings
from circuit_export.formats.likeness import plain
from circuit_export.formats.steps.connectors import by_plain, suggest, uses
from circuit_export.formats.steps.document import FORMAT_NAME, dump, load
from circuit_export.formats.wording import COMPARISONS, counted, shown
from circuit_export.server.answers import Listed, label, lines, listed
from circuit_export.server.desk import Desk, Opened, callees
from circuit_export.store.base import ARMED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.steps.document import StepsDocument

IMPOSSIBLE = frozenset(("C102", "C201", "C202", "C203", "C211", "C212", "C213", "C214"))
"""What cannot be drawn or run: unknown types, wires to nowhere, ports that are none, one id twice, branches that
cannot go out together, called workflows that are not there, call themselves or lie too deep."""

BY_BINDING = frozenset(("C401",))
"""What is said about tools with the binding, in more words."""

UNKNOWN_KEY = "C103"

ADVICE = {"C212": "circuit_list names the workflows there are"}
"""What to do about some findings here, where nobody has files or settings at hand."""

SHOWN = 12
REFUSED = 100
"""Problems that are listed of a board: of one that was saved, and of one that was refused for them."""


def read_value(value: Mapping[str, Any], board_id: str) -> StepsDocument:
    """A board from the JSON of a call. Raises CircuitError; a place in a text that nobody wrote is left out of it."""
    try:
        return load(Definition(dump(value), FORMAT_NAME, board_id.replace("/", "-") + ".json"))
    except CircuitError as error:
        raise CircuitError(error.message, found=error.found, expected=error.expected, hint=error.hint) from None


async def check(
    desk: Desk, document: StepsDocument, beside: Mapping[str, StepsDocument] | None = None
) -> list[Diagnostic]:
    """What there is to say of a board that is about to be saved, `beside` others that are.

    Raises CircuitError, with every problem, when it cannot be drawn or run.
    """
    from circuit_export.validation.check import quick_findings

    around: dict[str, Any] = dict(await callees(desk, document, beside))
    found = quick_findings(document, Surroundings({**around, document.id: document}))
    impossible = [one for one in found if one.code in IMPOSSIBLE]
    if impossible:
        types = " circuit_catalog lists the step types." if any(one.code == "C102" for one in impossible) else ""
        raise Listed(
            "Nothing was saved: this cannot be drawn or run",
            sentences(impossible, REFUSED, judged=False),
            hint=f"mend {'it' if len(impossible) == 1 else 'them all'} and call again.{types}",
        )
    return found


def sentences(found: Sequence[Diagnostic], most: int = SHOWN, *, judged: bool = True) -> list[str]:
    """Findings, each one line, the worst first; `judged` with how grave each is."""
    said = [
        (f"{one.severity.value} " if judged else "")
        + f"{one.code} {one.message}"
        + (f" ({hint})" if (hint := ADVICE.get(one.code, one.hint)) else "")
        for one in found[:most]
    ]
    return [*said, f"and {len(found) - most:,} more"] if len(found) > most else said


def remarks(found: Sequence[Diagnostic]) -> str:
    """What is merely wrong with a board that was saved, "" when nothing is."""
    worth = [
        one
        for one in found
        if (one.severity is not Severity.NOTE or one.code == UNKNOWN_KEY) and one.code not in BY_BINDING
    ]
    if not worth:
        return ""
    return listed("It was saved, and there is something to mend (circuit_patch):", sentences(worth))


async def obstacles(desk: Desk, opened: Opened) -> str:
    """What keeps a board from being run as it is, "" when nothing does: tools that nobody has, and what cannot be."""
    from circuit_export.validation.check import quick_findings

    around: dict[str, Any] = {**opened.called, opened.document.id: opened.document}
    impossible = [one for one in quick_findings(opened.document, Surroundings(around)) if one.code in IMPOSSIBLE]
    wanted = await connectors(desk, opened)
    return lines(
        listed("It cannot be run as it is (circuit_patch):", sentences(impossible, judged=False)) if impossible else "",
        wanted.said if wanted.missing else "",
    )


def out_of_step(opened: Opened) -> str:
    """What to do when an armed board has another schedule by now than the one it was armed with, "" otherwise."""
    head, start = opened.board.head, opened.document.start
    if head.status != ARMED:
        return ""
    armed = head.schedule.cron if head.schedule is not None else ""
    written = start.config.get("cron") if start.type == "trigger.schedule" else ""
    if armed == written:
        return ""
    said = f"has {shown(str(written))} by now" if written else "has no schedule any more"
    was = f"with {shown(armed)}" if armed else "without a schedule"
    return f"It was armed {was}, and its trigger {said}: call circuit_arm again, and have the scheduled task follow."


# --- connectors --------------------------------------------------------------------------------------------------


class Missing(NamedTuple):
    """A tool that a board needs and nobody has: the steps that call it, and the bound one that may be meant."""

    tool: str
    steps: tuple[str, ...]
    suggestion: str | None

    @property
    def said(self) -> str:
        meant = f"; did you mean {label(self.suggestion)}?" if self.suggestion else ""
        return f"{label(self.tool)} (used by {flat(', '.join(self.steps))}){meant}"


class Connectors(NamedTuple):
    """The tools that a board needs, against the binding; `names` is None when nothing is bound."""

    needed: tuple[str, ...]
    names: tuple[str, ...] | None
    missing: tuple[Missing, ...]

    @property
    def value(self) -> dict[str, Any]:
        return {
            "bound": self.names is not None,
            "needed": list(self.needed),
            "missing": [
                {"tool": one.tool, "steps": list(one.steps), "suggestion": one.suggestion} for one in self.missing
            ],
        }

    @property
    def said(self) -> str:
        """What the model should know and do."""
        if not self.needed:
            return ""
        if self.names is None:
            needed = ", ".join(map(label, self.needed))
            return f"It needs these tools: {needed}. No binding is on file: call circuit_bind with the tools you have."
        if not self.missing:
            return f"Every connector is there ({counted(len(self.needed), 'tool')})."
        return lines(
            listed(
                "These tools are not among those you reported, and circuit_run will refuse until they are:",
                (one.said for one in self.missing),
            ),
            "Use circuit_patch to name tools that you have, or circuit_bind to report new ones.",
        )


async def connectors(desk: Desk, opened: Opened) -> Connectors:
    """The tools that a board and what it calls need, against the binding on file."""
    binding = await desk.store.get_binding(desk.workspace)
    names = None if binding is None else tuple(tool.name for tool in binding.tools)
    steps: dict[str, list[str]] = {}
    for document in (opened.document, *opened.called.values()):
        for use in uses(step for step in document.steps if step.enabled):
            steps.setdefault(use.tool, []).extend(document.steps[index].id for index in use.steps)
    return Connectors(tuple(steps), names, tuple(_missing(steps, names)) if names is not None else ())


def _missing(steps: Mapping[str, Sequence[str]], names: tuple[str, ...]) -> Iterator[Missing]:
    """The tools that are in no binding; names are compared within a bound, so that many of them cost no time."""
    compared, had = 0, by_plain(names)
    for tool, ids in steps.items():
        if "{{" in tool or plain(tool) in had:
            continue
        compared += len(names)
        yield Missing(tool, tuple(ids), suggest(tool, names) if compared <= COMPARISONS else None)


def refuse_missing(wanted: Connectors) -> None:
    """Raises CircuitError when a tool is missing: nothing starts then."""
    if wanted.missing:
        raise Listed(
            "Nothing was started: tools are missing",
            (one.said for one in wanted.missing),
            hint=f"circuit_patch names a tool that you have, circuit_bind reports {shown(wanted.missing[0].tool)}",
        )
