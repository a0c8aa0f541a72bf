"""What a SKILL.md says of itself in the lines between its first two `---`; they look like YAML, and are not."""

from __future__ import annotations

import re
from typing import NamedTuple

_CLOSES = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(r"([A-Za-z0-9_-]+)[ \t]*:(.*)", re.DOTALL)
_HEADING = re.compile(r"^#[ \t]+(\S.*)", re.MULTILINE)
_ANGLES = re.compile(r"<([^<>]*)>")
_SQUARES = re.compile(r"\[[^\[\]]*\]")
_CODE = re.compile(r"`([^`]*)`")
_BLOCK_SCALAR = re.compile(r"[>|][+-]?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "\\": "\\", "/": "/", "e": "\x1b", "b": "\b"}
_ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
ARGUMENTS = "$ARGUMENTS"


class InputHint(NamedTuple):
    """What a skill likes to be given: `placeholder` is its shape, `label` what to call it."""

    label: str
    placeholder: str
    kind: str = "command"
    key: str = "arguments"


class SkillCard(NamedTuple):
    """What a SKILL.md says of itself. `has_front_matter` tells whether there was a block to say it in."""

    name: str
    description: str = ""
    hints: tuple[InputHint, ...] = ()
    default_arguments: str = ""
    default_prompt: str = ""
    default_model: str = ""
    has_front_matter: bool = False

    @property
    def default_input(self) -> dict[str, str]:
        """The input that the skill proposes, without what it leaves empty."""
        given = {"arguments": self.default_arguments, "prompt": self.default_prompt}
        return {key: text for key, text in given.items() if text}


def read_card(text: str, folder: str, *, compat: bool = False) -> SkillCard:
    """Reads a SKILL.md that lies in a folder called `folder`. Any text has a card; nothing is raised.

    With `compat` line by line, as the public application reads it. Without, also: a byte-order mark is skipped,
    block scalars and indented continuations are read, escapes in quotes undone, and an empty name counts as none.
    """
    if not compat:
        text = text.removeprefix("\ufeff")
    block, body = split(text)
    members = _members(block, compat) if block is not None else {}
    name = members.get("name")
    if name is None or (not name and not compat):
        heading = _HEADING.search(body)
        name = heading[1].rstrip() if heading else folder
    hint = members.get("argument-hint") or _hint_in(body)
    return SkillCard(
        name=name,
        description=members.get("description", ""),
        hints=(InputHint(_label(hint), hint),) if hint else (),
        default_arguments=members.get("default-arguments", ""),
        default_prompt=members.get("default-prompt", ""),
        default_model=members.get("default-model", ""),
        has_front_matter=block is not None,
    )


def split(text: str) -> tuple[str | None, str]:
    """The block between the first line, which begins with `---`, and the next that is one; and what follows it.

    None and the whole text when there is no such block.
    """
    first = text.find("\n")
    if not text.startswith("---") or first < 0:
        return None, text
    closes = _CLOSES.search(text, first + 1)
    if closes is None:
        return None, text
    return text[first + 1 : closes.start()], text[closes.end() :]


def _members(block: str, compat: bool) -> dict[str, str]:
    """The members of a block; of two with one name the last counts."""
    members: dict[str, str] = {}
    lines = block.removesuffix("\n").split("\n")
    at = 0
    while at < len(lines):
        found = _KEY.match(lines[at])
        at += 1
        if found is None:
            continue
        value = found[2].strip()
        if compat:
            members[found[1]] = _unquoted(value)
            continue
        end = at
        while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t"):
            end += 1
        members[found[1]] = _value(value, lines[at:end])
        at = end
    return members


def _unquoted(value: str) -> str:
    return value[1:-1] if _is_quoted(value) else value


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"


def _value(first: str, more: list[str]) -> str:
    """A member's value: what stands on its line, and the indented lines after it."""
    if _BLOCK_SCALAR.fullmatch(first):
        return _block_scalar(first, more)
    if not first and any(_KEY.match(line.strip()) or line.strip().startswith("- ") for line in more):
        return ""  # members or a list of its own, which none of the keys that are read has
    value = " ".join(part for part in (first, *(line.strip() for line in more)) if part)
    if not _is_quoted(value):
        return value
    if value[0] == "'":
        return value[1:-1].replace("''", "'")
    return _ESCAPED.sub(_character, value[1:-1])


def _character(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    return chr(int(digits, 16)) if digits else _ESCAPES.get(escape[3], escape[0])


def _block_scalar(indicator: str, lines: list[str]) -> str:
    """The text of a block: `|` keeps its line breaks, `>` folds them; blank lines at its end go, but with `+`."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    cut = min(indents, default=0)
    kept = [line[cut:].rstrip() for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    if indicator[0] == "|":
        text = "\n".join(kept)
    else:
        text = ""
        for line in kept:
            if not line:
                text += "\n"
            else:
                text += line if not text or text.endswith("\n") else f" {line}"
    return text + "\n" * (len(lines) - len(kept)) if indicator.endswith("+") else text


# --- what it likes to be given -----------------------------------------------------------------------------------


def _hint_in(body: str) -> str:
    """The shape of the arguments as the first usable line that mentions `$ARGUMENTS` shows it; "" for none."""
    at = body.find(ARGUMENTS)
    while at >= 0:
        start = body.rfind("\n", 0, at) + 1
        end = body.find("\n", at)
        line = body[start : end if end >= 0 else len(body)]
        hint = _hint_of(line)
        if hint or end < 0:
            return hint
        at = body.find(ARGUMENTS, end)
    return ""


def _hint_of(line: str) -> str:
    for code in _CODE.findall(line):
        if _ANGLES.search(code):
            return str(code).strip()
    _, colon, rest = line.partition(":")
    return rest.strip() if colon else ""


def _label(hint: str) -> str:
    angles = _ANGLES.search(hint)
    if angles and angles[1].strip():
        return angles[1].strip()
    return " ".join(_SQUARES.sub(" ", hint).split()) or "Arguments"
