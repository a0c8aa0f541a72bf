"""A skill graph as the neutral picture: its chips and wires, its facts, and the sections of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from circuit_export.board.model import Actor, Board, Cell, Chip, Fact, LooseWire, Section, Span, Wire
from circuit_export.formats.readable import readable
from circuit_export.formats.skills.document import RUNNABLE
from circuit_export.formats.skills.places import places
from circuit_export.formats.skills.plan import Plan, plan
from circuit_export.formats.skills.timing import duration, is_time, timeout
from circuit_export.formats.skills.words import (
    origin,
    reads,
    settings,
    skill_name,
    skills_used,
    summary,
    title,
)
from circuit_export.formats.wording import listed, names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from circuit_export.board.model import Place
    from circuit_export.formats.skills.document import Node, SkillsDocument
    from circuit_export.formats.skills.words import SkillUse

OUT = "out"
_COMMA = Span(", ")


def picture(document: SkillsDocument) -> Board:
    """The board of a document."""
    nodes = document.nodes
    words = Words(
        document, [title(node, document) for node in nodes], {node.index: reads(node) for node in nodes if node.input}
    )
    wires, loose = _wires(document)
    planned = plan(len(nodes), document.graph.links())
    board = Board(
        id=document.id,
        name=document.name,
        description=document.description,
        chips=tuple([_chip(node, words, place) for node, place in zip(nodes, _positions(nodes), strict=True)]),
        wires=tuple(wires),
        entry=planned.roots[0][0] if planned.roots else 0,
        loose=tuple(loose),
        facts=_facts(document),
        sections=(_order(words, planned), _skills(words), _outputs(words)),
        order=tuple(planned.order or range(len(document.nodes))),
    )
    return readable(board, document.definition.text)


class Words(NamedTuple):
    """What is said of a graph's nodes in several places: their titles, and the ids of those whose output they take."""

    document: SkillsDocument
    titles: list[str]
    takes: dict[int, tuple[str, ...]]


def _wires(document: SkillsDocument) -> tuple[list[Wire], list[LooseWire]]:
    """The edges as wires. A second one between the same two nodes would lie on the first and is not drawn."""
    wires: list[Wire] = []
    loose: list[LooseWire] = []
    drawn: set[tuple[int, int]] = set()
    for _, _, source, target in document.edges:
        at, to = document.by_id.get(source), document.by_id.get(target)
        if at is None:
            continue  # it comes from nowhere, so there is no chip to list it at; a rule says so
        if to is None:
            loose.append(LooseWire(at, OUT, target))
        elif (at, to) not in drawn:
            drawn.add((at, to))
            wires.append(Wire(at, OUT, to))
    return wires, loose


def _positions(nodes: tuple[Node, ...]) -> list[Place | None]:
    """The cells that the editor's pixels mean; none at all unless every node has pixels to be compared with."""
    points = [node.position for node in nodes if node.position is not None]
    if len(points) < len(nodes):
        return [None] * len(nodes)
    return list(places(points))


def _chip(node: Node, words: Words, place: Place | None) -> Chip:
    return Chip(
        node.id,
        node.ref.provider or "skill",
        words.titles[node.index],
        summary(node, words.document),
        Actor.CIRCUIT if node.ref.is_loop_limiter else Actor.CLAUDE,
        position=place,
        config=settings(node),
        notes=_notes(node, words) if node.input or node.ref.provider not in RUNNABLE else (),
    )


def _notes(node: Node, words: Words) -> tuple[str, ...]:
    notes = []
    by_id = words.document.by_id
    known = [words.titles[by_id[id]] for id in words.takes.get(node.index, ()) if id in by_id]
    if known:
        notes.append(f"It takes the output of {names(known)}.")
    wanted = node.input.get("timeoutMs")
    if is_time(wanted):
        notes.append(f"It is stopped after {duration(timeout(wanted, 0))}.")
    if node.ref.provider and node.ref.provider not in RUNNABLE:
        notes.append(f"Nobody can run a skill of “{node.ref.provider}” yet.")
    return tuple(notes)


def _facts(document: SkillsDocument) -> tuple[Fact, ...]:
    providers = dict.fromkeys(node.ref.provider for node in document.nodes if node.ref.provider)
    used = skills_used(document)
    facts = [
        Fact("steps", f"{len(document.nodes):,}"),
        Fact("skills", f"{len(used):,}"),
        Fact("run by", listed(providers) or "nobody yet"),
    ]
    if document.repository_id:
        facts.append(Fact("repository", document.repository_id))
    after = "the rest runs all the same" if document.continue_on_failure else "the run ends"
    facts.append(Fact("after a failure", after))
    return tuple(facts)


# --- sections ----------------------------------------------------------------------------------------------------


def _links(nodes: Iterable[int], words: Words) -> Cell:
    spans: list[Span] = []
    for node in nodes:
        link = Span(words.titles[node], "step", node)
        spans += [_COMMA, link] if spans else [link]
    return tuple(spans)


def _order(words: Words, planned: Plan) -> Section:
    in_rounds = bool(planned.cycle)
    order = planned.order or range(len(words.titles))
    return Section(
        slug="order",
        heading="The order it runs in",
        intro="It goes round in a circle, so it runs in rounds if that is allowed, each in the order of the file."
        if in_rounds
        else "One after the other, each after all that it depends on.",
        rows=tuple([((Span(words.titles[node], "step", node),),) for node in order]),
    )


def _skills(words: Words) -> Section:
    return Section(
        slug="skills",
        heading="Skills it needs",
        intro="Each is a text that an agent obeys; a run reads it from its place at that moment.",
        columns=("Skill", "Provider", "Comes from", "File", "Used by"),
        rows=tuple(_skill(use, words) for use in skills_used(words.document)),
        empty="It names no skill.",
    )


def _skill(use: SkillUse, words: Words) -> tuple[Cell, ...]:
    ref = use.ref
    card = words.document.skills.get(ref.file)
    return (
        (Span(card.name if card is not None and card.name.strip() else skill_name(ref)),),
        (Span(ref.provider or "not named"),),
        (Span(origin(ref)),),
        (Span(ref.target, "code"),),
        _links(use.nodes, words),
    )


def _outputs(words: Words) -> Section:
    by_id = words.document.by_id
    rows: list[tuple[Cell, ...]] = []
    for node, ids in words.takes.items():
        for id in ids:
            source = by_id.get(id)
            takes = _links((source,), words) if source is not None else (Span(id, "code"), Span(", which is no step"))
            rows.append((_links((node,), words), takes))
    return Section(
        slug="outputs",
        heading="What is handed on",
        intro="These steps are given what an earlier one put out.",
        columns=("Step", "Takes the output of"),
        rows=tuple(rows),
        empty="No step is given another one's output.",
    )
