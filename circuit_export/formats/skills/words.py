"""Plain English for skill graphs: what a node runs, what it is given, and whose output it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from circuit_export.formats.json_text import setting_text
from circuit_export.formats.skills import placeholders
from circuit_export.formats.skills.document import DEFAULT, REPOSITORY, SYSTEM
from circuit_export.formats.wording import one_line

if TYPE_CHECKING:
    from circuit_export.formats.skills.document import Node, SkillRef, SkillsDocument

SAID = 300
"""Characters of a description that a summary holds at most; a chip shows as much of it as it has room for."""


class SkillUse(NamedTuple):
    """A skill that a graph needs, and the nodes (by index) that run it."""

    ref: SkillRef
    nodes: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{self.ref.provider}: {skill_name(self.ref)}" if self.ref.provider else skill_name(self.ref)


def skills_used(document: SkillsDocument) -> tuple[SkillUse, ...]:
    """The skills that a graph's nodes run, each once, in the order they are first named."""
    found: dict[SkillRef, list[int]] = {}
    for node in document.nodes:
        if node.ref.target:
            found.setdefault(node.ref, []).append(node.index)
    return tuple(SkillUse(ref, tuple(nodes)) for ref, nodes in found.items())


def skill_name(ref: SkillRef) -> str:
    """The skill's name as its path or id tells it: the folder that holds a SKILL.md, else the file's stem."""
    if ref.source == SYSTEM:
        return ref.system_id.rpartition(":")[2] or ref.system_id
    folder, _, file = ref.file.rpartition("/")
    if file.lower() == "skill.md" and folder:
        return folder.rpartition("/")[2]
    return file.rpartition(".")[0] or file


def title(node: Node, document: SkillsDocument) -> str:
    """What a node is called: its label, else its skill's name, else its id."""
    card = document.skills.get(node.ref.file)
    named = node.label or (" ".join(card.name.split()) if card is not None else "")
    return named if named.strip() else skill_name(node.ref) or node.id


def summary(node: Node, document: SkillsDocument) -> str:
    """What a node does, in one line: as it says itself, as its skill says, or where its skill comes from."""
    if node.ref.is_loop_limiter:
        return _limit(node)
    card = document.skills.get(node.ref.file)
    said = node.description if node.description.strip() else card.description if card is not None else ""
    return one_line(said, SAID) or where(node.ref)


def where(ref: SkillRef) -> str:
    """Where a skill is, such as its path or “codex:imagegen, a skill of codex itself”."""
    if not ref.target:
        return "no skill is chosen yet"
    if ref.source == SYSTEM:
        return f"{ref.system_id}, a skill of {ref.provider or 'the provider'} itself"
    return f"{ref.file}, which comes with the application" if ref.source == DEFAULT else ref.file


def origin(ref: SkillRef) -> str:
    """Where a skill comes from, in a cell of a table."""
    known = {REPOSITORY: "the repository", DEFAULT: "the application", SYSTEM: "the provider itself"}
    return known.get(ref.source, ref.source)


def _limit(node: Node) -> str:
    word = limit_words(node)
    return f"ends the loop after {word} rounds" if word else "ends the loop, but does not say after how many rounds"


def limit_words(node: Node) -> str:
    """The first word of a loop limiter's arguments, "" when there is none."""
    arguments = node.input.get("arguments")
    words = arguments.split(None, 1) if isinstance(arguments, str) else ()
    return words[0] if words else ""


# --- what it is given --------------------------------------------------------------------------------------------


def settings(node: Node) -> tuple[tuple[str, str], ...]:
    """What a page lists of a node's settings: its skill, its model and its input, each as a text."""
    listed = [("skill", where(node.ref))]
    if node.model:
        listed.append(("model", node.model))
    listed += [(f"input · {key}", setting_text(value)) for key, value in node.input.items()]
    return tuple(listed)


def reads(node: Node) -> tuple[str, ...]:
    """The ids of the nodes whose output a node's input takes, each once, in the order they are named."""
    return placeholders.ids(node.input) if node.input else ()
