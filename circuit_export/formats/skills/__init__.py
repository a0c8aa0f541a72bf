"""Skill graphs: which skills of a repository run after which, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Spot, UsageError
from circuit_export.formats.base import Need, Synopsis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from circuit_export.board.model import Board
    from circuit_export.definition import Definition
    from circuit_export.formats.base import Ignored
    from circuit_export.formats.repositories import Packed, Unpacking
    from circuit_export.formats.skills.document import SkillsDocument
    from circuit_export.formats.skills.installing import Installation
    from circuit_export.formats.skills.repository import Discovery
    from circuit_export.runs.machine import Machine


class Skills:
    """The format of skill graphs; what is heavy is imported when it is used."""

    name = "skills"
    title = "Skill graph"
    sign = 'a graph of skills has "version", "nodes" and "edges" at its top'
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

    def discover(self, root: Path, *, compat: bool = False) -> Discovery:
        """The skills of the repository at `root`."""
        from circuit_export.formats.skills.repository import discover

        return discover(root, compat=compat)

    def pack(self, document: SkillsDocument, root: Path, exported_at: str) -> Packed:
        """The bundle of a graph with the skills that lie in `root`. Raises UsageError for a root that is none."""
        from circuit_export.formats.roots import root_trouble
        from circuit_export.formats.skills.bundle import pack
        from circuit_export.formats.skills.repository import read_skill

        trouble = root_trouble(root)
        if trouble:
            raise UsageError(f"The repository's folder {trouble}", found=str(root), hint="name it with --root")
        return pack(document, lambda path: read_skill(root, path), exported_at)

    def is_bundle(self, text: str) -> bool:
        """Is it a graph with its skills? Never raises."""
        from circuit_export.formats.skills.bundle import recognise

        return recognise(text)

    def plan(self, text: str, file: str, how: Unpacking) -> Installation:
        """What unpacking a bundle would do. Raises CircuitError for what is none, or would leave the repository."""
        from circuit_export.formats.skills.bundle import read
        from circuit_export.formats.skills.installing import installation

        bundle = read(text, file)
        repository_id = how.repository_id or how.root.resolve().name or bundle.document.repository_id
        return installation(bundle, how.root, repository_id, how.at, workflow_id=how.workflow_id)

    def install(self, plan: Installation, *, overwrite: bool = False) -> tuple[str, ...]:
        """Writes what is new, and with `overwrite` what differs."""
        from circuit_export.formats.skills.installing import install

        return install(plan, overwrite=overwrite)

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

    def spots(self, document: SkillsDocument) -> Callable[[str], Spot]:
        """What tells where a node stands in the graph."""
        return lambda step_id: Spot(f"/nodes/{document.nodes[document.by_id[step_id]].index}")

    def ignored(self, document: SkillsDocument) -> tuple[Ignored, ...]:  # a graph says it as any JSON document does
        return ()


FORMAT = Skills()
