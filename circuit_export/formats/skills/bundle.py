"""The bundle (`*.circuitflow`): a skill graph with the text of its skills in one file, to be sent to somebody.

Its hashes are FNV-1a, a checksum: they show that a text was damaged on its way, never that nobody changed it on
purpose, for whoever changes a text can write the hash that fits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, NoReturn

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Position, locate
from circuit_export.formats import json_text
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.repositories import Packed
from circuit_export.formats.skills.document import FORMAT_NAME, REPOSITORY, VERSION, SkillsDocument, dump, load
from circuit_export.formats.skills.paths import SKILLS_FOLDERS, faults, is_usual
from circuit_export.formats.skills.repository import LARGEST, Unread

SUFFIX: Final = ".circuitflow"
HASH: Final = "fnv1a64:"
_BASIS, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 0xFFFFFFFFFFFFFFFF


class BundledSkill(NamedTuple):
    """A skill in a bundle. `is_whole` says whether its text is what its hash was made of."""

    provider: str
    file: str
    content: str
    content_hash: str

    @property
    def is_whole(self) -> bool:
        return self.content_hash == content_hash(self.content)


class Bundle(NamedTuple):
    """A bundle read: its graph, and its skills by path."""

    document: SkillsDocument
    skills: tuple[BundledSkill, ...]
    exported_at: str = ""

    @property
    def damaged(self) -> tuple[str, ...]:
        """The paths of the skills whose text does not fit its hash."""
        return tuple(skill.file for skill in self.skills if not skill.is_whole)


def content_hash(text: str) -> str:
    """The 64-bit FNV-1a checksum of a text's UTF-8, such as `fnv1a64:cbf29ce484222325` for "". No proof of anything."""
    found = _BASIS
    for byte in text.encode("utf-8", "surrogatepass"):
        found = (found ^ byte) * _PRIME & _MASK
    return f"{HASH}{found:016x}"


# --- writing -----------------------------------------------------------------------------------------------------


def pack(document: SkillsDocument, read: Callable[[str], str | Unread], exported_at: str) -> Packed:
    """The bundle of a graph; `read` gives the text of a skill file by its path, `exported_at` is a time as text.

    Only skills of the repository ride along, each file once; those at unusual places cannot.
    """
    skills: list[dict[str, str]] = []
    left_out: list[tuple[str, str]] = []
    seen: set[str] = set()
    for node in document.nodes:
        ref = node.ref
        if ref.source != REPOSITORY or not ref.file or ref.file in seen:
            continue
        seen.add(ref.file)
        if not is_usual(ref.file, ref.provider) or ref.provider not in SKILLS_FOLDERS:
            left_out.append((ref.file, f"is not named as .{ref.provider or 'PROVIDER'}/skills/NAME/SKILL.md"))
            continue
        text = read(ref.file)
        if isinstance(text, Unread):
            left_out.append((ref.file, text.why))
            continue
        skills.append(
            {"provider": ref.provider, "skillFile": ref.file, "content": text, "contentHash": content_hash(text)}
        )
    value = {"version": VERSION, "exportedAt": exported_at, "workflow": document.value, "skills": skills}
    return Packed(dump(value) + "\n", tuple(left_out))


# --- reading -----------------------------------------------------------------------------------------------------


def recognise(text: str) -> bool:
    """Whether a text is a bundle: a JSON object with a graph as `workflow` and a list of `skills`. Never raises."""
    if '"workflow"' not in text or not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return False
    try:
        value = json_text.parse(text.removeprefix("\ufeff")).value
    except CircuitError:
        return _sets_out_as_one(text)
    return isinstance(value, dict) and isinstance(value.get("workflow"), dict) and isinstance(value.get("skills"), list)


def _sets_out_as_one(text: str) -> bool:
    """Is a text that is no JSON a bundle gone bad, so that `read` is to say what is wrong with it?"""
    return all(f'"{key}"' in text for key in ("exportedAt", "skills"))


def read(text: str, file: str = "") -> Bundle:
    """Reads a bundle. Raises CircuitError, with the position, for what is none or has an unsafe path in it.

    Hashes that do not fit are no error here: who installs the skills decides (`Bundle.damaged`).
    """
    text = text.removeprefix("\ufeff")

    def refuse(message: str, pointer: str, found: str, expected: str) -> NoReturn:
        position = Position.at(text, locate(text, pointer)[0])
        raise CircuitError(message, file=file, position=position, found=found, expected=expected)

    try:
        value = json_text.parse(text).value
    except CircuitError as error:
        raise error.located(file) from None
    if not isinstance(value, dict) or "workflow" not in value:
        refuse("This is not a bundle", "", kind_of(value), 'an object with "version", "workflow" and "skills"')
    if value.get("version") != VERSION:
        refuse("This version of a bundle is not supported", "/version", kind_of(value.get("version")), f"“{VERSION}”")
    items = value.get("skills", [])
    if not isinstance(items, list):
        refuse("The bundle's skills are no list", "/skills", kind_of(items), "a list of skills")
    document = _graph(value["workflow"], file)
    skills: dict[str, BundledSkill] = {}
    for index, item in enumerate(items):
        skill = _skill(item, f"/skills/{index}", refuse)
        place = skill.file.lower()  # where letter case does not tell two files apart, one would overwrite the other
        if skills.setdefault(place, skill) != skill:
            refuse("The bundle holds one file twice", f"/skills/{index}/skillFile", f"“{skill.file}”", "each file once")
    exported_at = value.get("exportedAt")
    return Bundle(document, tuple(skills.values()), exported_at if isinstance(exported_at, str) else "")


def _graph(value: Any, file: str) -> SkillsDocument:
    try:
        return load(Definition(dump(value), FORMAT_NAME, file))
    except CircuitError as error:
        error.position = None  # it would be a place in the graph's own text, which nobody has seen
        raise


def _skill(item: Any, pointer: str, refuse: Callable[[str, str, str, str], NoReturn]) -> BundledSkill:
    if not isinstance(item, dict):
        refuse("A skill of the bundle is no object", pointer, kind_of(item), "an object")
    for key in ("provider", "skillFile", "content", "contentHash"):
        if not isinstance(item.get(key), str):
            found = kind_of(item[key]) if key in item else "none"
            refuse(f"A skill of the bundle has no text as its “{key}”", f"{pointer}/{key}", found, "a text")
    skill = BundledSkill(item["provider"], item["skillFile"], item["content"], item["contentHash"])
    from circuit_export.restore.paths import refusal

    if skill.provider not in SKILLS_FOLDERS:  # .git/skills/… would be a usual place for “git”
        found = f"“{skill.provider[:60]}”"
        expected = " or ".join(f"“{provider}”" for provider in SKILLS_FOLDERS)
        refuse("A skill of the bundle is for nobody that has skills", f"{pointer}/provider", found, expected)
    unsafe = refusal(skill.file)
    if unsafe or faults(skill.file) or not is_usual(skill.file, skill.provider):
        expected = f"a path such as .{skill.provider}/skills/NAME/SKILL.md"
        found = f"“{skill.file[:200]}”" + (f": {unsafe}" if unsafe else "")
        refuse("A skill of the bundle has a path that is not its place", f"{pointer}/skillFile", found, expected)
    _check_content(skill.content, f"{pointer}/content", refuse)
    return skill


def _check_content(text: str, pointer: str, refuse: Callable[[str, str, str, str], NoReturn]) -> None:
    """Refuses a text that no skill file can hold."""
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        refuse("A skill of the bundle holds half a character", pointer, "a lone surrogate", "text that is UTF-8")
    if size > LARGEST:
        refuse(
            "A skill of the bundle is larger than any that is run", pointer, f"{size:,} bytes", f"{LARGEST:,} at most"
        )
