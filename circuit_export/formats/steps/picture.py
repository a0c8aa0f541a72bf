"""A board of steps as the neutral picture: its chips and wires, its facts, and the sections of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.board.model import Actor, Board, Chip, Fact, LooseWire, Wire
from circuit_export.formats.json_text import setting_text
from circuit_export.formats.readable import readable
from circuit_export.formats.steps import sections
from circuit_export.formats.steps.catalog import CATALOG, error_port, leaving, passing_port, ports
from circuit_export.formats.steps.connectors import TOOL_STEPS, services, writes
from circuit_export.formats.steps.guards import GATE
from circuit_export.formats.steps.summaries import summary
from circuit_export.formats.steps.words import policy, shortened, step_name
from circuit_export.formats.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.steps.document import Step, StepsDocument

_PLAIN: tuple[str, ...] = ("out",)


def picture(document: StepsDocument, called: Mapping[str, StepsDocument]) -> Board:
    """The board of a document; `called` holds the workflows it calls that could be found, by id."""
    wires: list[Wire] = []
    loose: list[LooseWire] = []
    by_id = document.by_id
    for step in document.steps:
        for port, to in step.next:
            target = by_id.get(to)
            if target is None:
                loose.append(LooseWire(step.index, port, to))
            else:
                wires.append(Wire(step.index, port, target))
    said = _said(document)
    board = Board(
        id=document.id,
        name=document.name,
        description=document.description,
        chips=tuple([_chip(step, called, said.get(step.index, ())) for step in document.steps]),
        wires=tuple(wires),
        entry=document.entry,
        loose=tuple(loose),
        facts=_facts(document),
        sections=sections.sections(document, called),
    )
    return readable(board, document.definition.text)


def _chip(step: Step, called: Mapping[str, StepsDocument], said: tuple[str, ...]) -> Chip:
    entry = CATALOG.get(step.type)
    usual = entry is not None and not entry.dynamic and entry.scope is None and step.on_error is None
    own = _PLAIN if usual else ports(step)  # most steps have `out` alone
    drawn: tuple[str, ...] = own
    for wire in step.next:
        if wire.port not in drawn:
            drawn = (*drawn, wire.port)
    notes = said
    if drawn is not own or step.on_error is not None or not step.enabled:
        notes = (*_notes(step, drawn[len(own) :]), *said)
    config = step.config
    return Chip(
        step.id,
        entry.verb if entry is not None else "step",
        step_name(step),
        summary(step, called),
        entry.actor if entry is not None else Actor.CIRCUIT,
        drawn,
        step.type in TOOL_STEPS and writes(step),
        step.enabled,
        step.position,
        entry.scope if entry is not None else None,
        tuple([(key, value if type(value) is str else setting_text(value)) for key, value in config.items()])
        if config
        else (),
        notes,
    )


def _notes(step: Step, extra: tuple[str, ...]) -> tuple[str, ...]:
    """What has to be said of a step: that it is switched off, what happens on an error, ports it does not have."""
    notes = []
    if not step.enabled:
        passing = passing_port(step)
        onward = f"goes straight on by “{passing}”" if leaving(step, passing) else "ends this way here"
        notes.append(f"It is switched off: a run does nothing here and {onward}.")
        if step.type == GATE:
            notes.append("So nobody is asked: what follows happens without an approval.")
    if step.on_error is not None:
        said = policy(step.on_error)
        port = error_port(step)
        if port is not None and not leaving(step, port):
            said = f"{said[:-1]}; nothing is wired there, so the run stops."
        notes.append(said)
    for port in extra:
        if leaving(step, ports(step)[0]) and port == "out":
            notes.append("Whatever it decides, the run goes on by its one wire, “out”.")
        else:
            notes.append(f"A wire leaves it by “{port}”, a port that it does not have: no run takes that wire.")
    return tuple(notes)


def _said(document: StepsDocument) -> dict[int, tuple[str, ...]]:
    """What the loader said of single steps, by index."""
    said: dict[int, tuple[str, ...]] = {}
    for note in document.notes:
        parts = note.pointer.split("/", 3)
        if len(parts) > 2 and parts[1] == "steps" and parts[2].isdecimal():
            hint = f"; {note.hint}" if note.hint else ""
            sentence = f"{note.message}{hint}"
            index = int(parts[2])
            said[index] = (*said.get(index, ()), sentence if sentence.endswith("?") else sentence + ".")
    return said


def _facts(document: StepsDocument) -> tuple[Fact, ...]:
    facts = [Fact("steps", f"{len(document.steps):,}")]
    needed = services(document.steps)
    facts.append(Fact("connectors", _few(needed) or "none"))
    facts.append(Fact("asks for", _few([item.name for item in document.inputs]) or "nothing"))
    if document.schedule is not None:
        facts.append(Fact("runs", shortened(document.schedule.note) or document.schedule.cron))
    return tuple(facts)


def _few(items: list[str]) -> str:
    return listed(items) if len(items) <= 8 else f"{', '.join(items[:7])} and {len(items) - 7:,} more"
