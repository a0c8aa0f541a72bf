"""A program as the neutral picture: its calls as chips, its state names as wires, and the sections of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from circuit_export.board.model import Actor, Board, Cell, Chip, Fact, Section, Span, Wire
from circuit_export.formats.circuitry.commands import startable
from circuit_export.formats.circuitry.dataflow import IN, OUT, Dataflow, Port, dataflow
from circuit_export.formats.circuitry.expressions import is_nothing
from circuit_export.formats.circuitry.words import Kind, kind, literal, nested_path, settings, summary
from circuit_export.formats.readable import readable
from circuit_export.formats.wording import counted, listed, names, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.formats.circuitry.program import Call, Extent

_COMMA = Span(", ")
_EXCERPT = 160


class _Drawing(NamedTuple):
    """What is drawn: a document, what it calls, and its dataflow."""

    document: ProgramDocument
    called: Mapping[str, ProgramDocument]
    flow: Dataflow


def picture(document: ProgramDocument, called: Mapping[str, ProgramDocument]) -> Board:
    """The board of a program; calls that are wrong are not on it."""
    drawing = _Drawing(document, called, dataflow(document.program))
    calls = [_chip(call, at, drawing) for at, call in enumerate(document.calls, 1)]
    board = Board(
        id=document.id,
        name=document.name,
        description=document.description,
        chips=(_input(drawing), *calls, _output(drawing)),
        wires=_wires(drawing),
        facts=_facts(drawing),
        sections=tuple(_sections(drawing)),
        order=tuple(range(len(calls) + 2)),
    )
    return readable(board, document.definition.text)


# --- chips -------------------------------------------------------------------------------------------------------


def _chip(call: Call, at: int, drawing: _Drawing) -> Chip:
    return Chip(
        call.name,
        kind(call).value,
        call.name or "(no name)",
        summary(call, drawing.document, drawing.called),
        Actor.CIRCUIT,
        ports=_labels(drawing.flow.ports[at]),
        config=settings(call, drawing.document),
        notes=tuple(_notes(call, at, drawing)),
        named=True,
    )


def _labels(ports: Iterable[Port]) -> tuple[str, ...]:
    return tuple(port.label for port in ports)


def _notes(call: Call, at: int, drawing: _Drawing) -> Iterable[str]:
    needs = drawing.flow.needs[at]
    required = [name for name, optional in needs.items() if not optional]
    optional = [name for name, optional in needs.items() if optional]
    if is_nothing(call.source) or is_nothing(call.input):
        yield "It never runs: it needs the text of a section that is not there."
    elif required:
        yield f"It runs when {names(required)} {'is' if len(required) == 1 else 'are'} there, and again after a change."
    else:
        yield "It needs nothing, so it runs at once."
    if optional:
        yield f"It takes {names(optional)} too, when there."
    if call.error is not None:
        yield "A failure of the right shape is handled here, and the run goes on."
    path = nested_path(call, drawing.document)
    if path is not None and path not in drawing.called and path != drawing.document.definition.path:
        yield f"The program {path} is not on this page."


def _input(drawing: _Drawing) -> Chip:
    extent = drawing.document.program.input_extent
    ports = drawing.flow.ports[0]
    said = f"takes {names([port.name for port in ports])}" if ports else "takes nothing out of its input"
    if _is_wrong(extent, drawing):
        said = "takes what cannot be made out"
    config = _config(IN, extent, drawing)
    return Chip(IN, "input", "Input", said, Actor.YOU, ports=_labels(ports), config=config, named=True)


def _output(drawing: _Drawing) -> Chip:
    extent = drawing.document.program.output_extent
    needs = drawing.flow.needs[-1]
    said = f"gives what is made of {names(list(needs))}" if needs else "gives what is always the same"
    if extent is None:
        said = "is not there: nothing says what the result is"
    elif _is_wrong(extent, drawing):
        said = "gives what cannot be made out"
    note = ("It is asked for when no call can run any more.",)
    return Chip(OUT, "output", "Output", said, Actor.YOU, ports=(), config=_config(OUT, extent, drawing), notes=note)


def _is_wrong(extent: Extent | None, drawing: _Drawing) -> bool:
    """Whether something is wrong with the in or the out that stands there, so that it could not be compiled."""
    outside = (one.exact for one in drawing.document.said if one.call is None and one.exact is not None)
    return extent is not None and any(extent.start <= place.start < extent.end for place in outside)


def _config(name: str, extent: Extent | None, drawing: _Drawing) -> tuple[tuple[str, str], ...]:
    if extent is None:
        return ()
    body = drawing.document.kdl(extent).strip()
    return ((name, body.removeprefix(name).strip() or "(nothing)"),)


def _wires(drawing: _Drawing) -> tuple[Wire, ...]:
    return tuple([Wire(flow.port.step, flow.port.label, flow.target, flow.optional) for flow in drawing.flow.flows()])


# --- facts and sections ------------------------------------------------------------------------------------------


def _facts(drawing: _Drawing) -> tuple[Fact, ...]:
    document = drawing.document
    kinds = [kind(call) for call in document.calls]
    facts = [
        Fact("calls", f"{len(kinds):,}"),
        Fact("commands", f"{kinds.count(Kind.COMMAND):,}"),
        Fact("written as", "KDL" if document.source.markdown is None else "Markdown with KDL"),
    ]
    inside = [what for what in (Kind.NESTED, Kind.GENERATED) if what in kinds]
    if inside:
        facts.append(Fact("runs programs", listed([f"{kinds.count(what):,} {what.value}" for what in inside])))
    if document.said:
        facts.append(Fact("cannot run", f"{counted(len(document.said), 'thing is', 'things are')} wrong"))
    asks = _labels(drawing.flow.ports[0])
    if asks:
        facts.append(Fact("asks for", listed(asks)))
    return tuple(facts)


def _sections(drawing: _Drawing) -> Iterable[Section]:
    yield _state(drawing)
    yield _commands(drawing)
    if any(kind(call) in (Kind.NESTED, Kind.GENERATED) for call in drawing.document.calls):
        yield _programs(drawing)
    if drawing.document.sections:
        yield _texts(drawing)
    if drawing.document.said:
        yield _wrong(drawing)


def _step(at: int, drawing: _Drawing) -> Span:
    ends = {0: "Input", len(drawing.flow.ids) - 1: "Output"}
    return Span(ends.get(at) or drawing.flow.ids[at] or "(no name)", "step", at)


def _steps(places: Iterable[int], drawing: _Drawing) -> Cell:
    spans: list[Span] = []
    for at in dict.fromkeys(places):
        spans += [_COMMA, _step(at, drawing)] if spans else [_step(at, drawing)]
    return tuple(spans)


def _state(drawing: _Drawing) -> Section:
    flow = drawing.flow
    needers: dict[str, list[int]] = {}
    for at, needs in enumerate(flow.needs):
        for name in needs:
            needers.setdefault(name, []).append(at)
    rows = []
    for name in dict.fromkeys((*flow.binders, *needers)):
        bound = _steps((port.step for port in flow.binders.get(name, ())), drawing) or (Span("nobody"),)
        needed = _steps(needers.get(name, ()), drawing) or (Span("nobody"),)
        rows.append(((Span(name, "code"),), bound, needed))
    return Section(
        slug="state",
        heading="State",
        intro="What the calls hand to each other, by name. All that a generation binds becomes visible at once.",
        columns=("Name", "Bound by", "Read by"),
        rows=tuple(rows),
        empty="No name is bound or read.",
    )


def _commands(drawing: _Drawing) -> Section:
    steps = {call.name: at for at, call in enumerate(drawing.document.calls, 1)}
    rows = []
    for one in startable(drawing.document, drawing.called):
        what = Span(one_line(one.command, _EXCERPT), "code") if one.known else Span("what only the run tells")
        rows.append(((what,), (_step(steps[one.path[0]], drawing), *_inside(one.path))))
    return Section(
        slug="commands",
        heading="Commands it can start",
        intro="A run starts these on the machine that it runs on, without a shell; those of programs inside it, too.",
        columns=("Command", "Call"),
        rows=tuple(rows),
        empty="It starts no command.",
    )


def _inside(path: tuple[str, ...]) -> Cell:
    """The way to a command on from the first call."""
    return (Span(f" → {' → '.join(path[1:])}"),) if len(path) > 1 else ()


def _source(call: Call, document: ProgramDocument) -> str:
    text = literal(call)
    if text is not None:
        return one_line(text, _EXCERPT)
    extent = dict(call.parts)["source"]
    return one_line(document.kdl(extent), _EXCERPT)


def _programs(drawing: _Drawing) -> Section:
    rows = []
    for at, call in enumerate(drawing.document.calls, 1):
        what = kind(call)
        if what not in (Kind.NESTED, Kind.GENERATED):
            continue
        path = nested_path(call, drawing.document)
        where = "made by the run" if what is Kind.GENERATED or path is None else "not on this page"
        if path == drawing.document.definition.path and path:
            where = "this program itself"
        elif path is not None and path in drawing.called:
            where = f"on this page, {counted(len(drawing.called[path].calls), 'call')}"
        rows.append(((Span(_source(call, drawing.document), "code"),), (Span(where),), (_step(at, drawing),)))
    return Section(
        slug="programs",
        heading="Programs inside it",
        intro="Each has state of its own and gives its result to the call that runs it.",
        columns=("Source", "Where it is", "Call"),
        rows=tuple(rows),
    )


def _texts(drawing: _Drawing) -> Section:
    used = drawing.document.program.used
    rows = [
        (
            (Span(section.name or "(no name)", "strong"),),
            (Span(one_line(section.text, _EXCERPT) or "(empty)"),),
            (Span("yes" if section.name in used else "no"),),
        )
        for section in drawing.document.sections
    ]
    return Section(
        slug="sections",
        heading="Sections",
        intro="Texts that the program names with @, below its front matter.",
        columns=("Section", "Text", "Used"),
        rows=tuple(rows),
    )


def _wrong(drawing: _Drawing) -> Section:
    rows = [((Span(one.code, "code"),), (Span(one.message),)) for one in drawing.document.said]
    return Section(
        slug="wrong",
        heading="What is wrong with it",
        intro="It cannot run until this is mended; calls that are wrong are not on the board.",
        columns=("Code", "What"),
        rows=tuple(rows),
    )
