"""Skill graphs: which skills of a repository run after which, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.formats.base import Need, Synopsis

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from circuit_export.board.model import Board
    from circuit_export.definition import Definition
    from circuit_export.formats.skills.document import SkillsDocument
    from circuit_export.runs.machine import Machine


class Skills:
    """The format of skill graphs; what is heavy is imported when it is used."""

    name = "skills"
    title = "Skill graph"
    suffixes = (".json",)
    reads_around = True  # the files of its skills

    def recognise(self, text: str) -> bool:
        """Is it a JSON object whose nodes name skills? Never raises."""
        from circuit_export.formats.skills.document import recognise

        return recognise(text)

    def claims(self, text: str) -> bool:
        """Does the text hold the format's marker, so that not being one is worth saying?"""
        from circuit_export.formats.skills.document import claims

        return claims(text)

    def normalise(self, text: str) -> str:
        """Line ends are line feeds: JSON does not tell them apart."""
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def suffix(self, text: str) -> str:  # the same for every text
        return ".json"

    def load(self, definition: Definition) -> SkillsDocument:
        """Reads a skill graph. Raises CircuitError, with the position."""
        from circuit_export.formats.skills.document import load

        return load(definition)

    def dump(self, value: Any) -> str:
        """A skill graph's text. Raises CircuitError for a value that JSON cannot hold."""
        from circuit_export.formats.skills.document import dump

        return dump(value)

    def needs(self, document: SkillsDocument) -> tuple[Need, ...]:  # a graph calls no other workflow
        return ()

    def furnish(self, document: SkillsDocument, root: Path) -> SkillsDocument:
        """The document with what its skills' files, below the repository's `root`, say of themselves."""
        from circuit_export.formats.skills.repository import cards

        return document.with_skills(cards(document, root))

    def picture(self, document: SkillsDocument, called: Mapping[str, SkillsDocument]) -> Board:
        from circuit_export.formats.skills.picture import picture

        return picture(document)

    def synopsis(self, document: SkillsDocument) -> Synopsis:
        from circuit_export.formats.skills.words import skills_used

        return Synopsis(
            kind=self.title,
            name=document.name,
            description=document.description,
            steps=len(document.nodes),
            connectors=tuple(skill.name for skill in skills_used(document)),
        )

    def engine(
        self, document: SkillsDocument, called: Mapping[str, SkillsDocument], directives: int | None = None
    ) -> Machine:
        """The engine bound to a graph; a run of it may use `directives`, 10,000 if that is None."""
        from circuit_export.formats.skills.engine import Machine as GraphMachine
        from circuit_export.formats.skills.engine import Options

        return GraphMachine(document, Options() if directives is None else Options(directives=directives))

    def pointer(self, document: SkillsDocument, step_id: str) -> str:
        """Where a node stands in the graph."""
        return f"/nodes/{document.nodes[document.by_id[step_id]].index}"


FORMAT = Skills()
