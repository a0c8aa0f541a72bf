"""JSON as this project reads and writes it: no value lost on the way in, every value said exactly on the way out."""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder, JSONEncoder, dumps
from typing import Any, NamedTuple

from circuit_export.diagnostics import CircuitError, Position, escape_pointer

_DIGITS = 4000  # Python refuses to read a whole number of more than 4,300 digits at once
_SURROGATE = re.compile("[\ud800-\udfff]")


class Number(float):
    """A number whose digits say more than a float holds, such as 1e400, 1.50 or one of 5,000 digits."""

    __slots__ = ("literal",)
    literal: str

    def __new__(cls, literal: str) -> Number:
        made = super().__new__(cls, literal)
        made.literal = literal
        return made

    def __reduce__(self) -> tuple[type[Number], tuple[str]]:
        return Number, (self.literal,)


class Repeated(NamedTuple):
    """A member that an object has more than once; `pointer` is the JSON Pointer of the object."""

    pointer: str
    name: str


class Parsed(NamedTuple):
    """A JSON text read."""

    value: Any
    repeated: tuple[Repeated, ...]


def _number(literal: str) -> float:
    value = float(literal)
    return value if repr(value) == literal else Number(literal)


def _whole(literal: str) -> int | float:
    return int(literal) if len(literal) <= _DIGITS else Number(literal)


class _NotANumber(ValueError):
    """NaN or Infinity, which Python reads and JSON does not have."""


def _constant(name: str) -> float:
    raise _NotANumber(name)


def parse(text: str) -> Parsed:
    """Reads a JSON text. Of a member that an object has twice the last is kept, and it is said.

    Raises CircuitError, with the position, for anything that is not JSON.
    """
    doubled: list[tuple[dict[str, Any], list[tuple[str, Any]]]] = []

    def an_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            doubled.append((made, pairs))
        return made

    value = _decode(text, an_object)
    return Parsed(value, _repeated(value, doubled) if doubled else ())


def _decode(text: str, an_object: Any) -> Any:
    decoder = JSONDecoder(object_pairs_hook=an_object, parse_float=_number, parse_constant=_constant)
    try:
        try:
            return decoder.decode(text)
        except (JSONDecodeError, _NotANumber):
            raise
        except ValueError:  # a whole number that is too long for Python's own reader
            return JSONDecoder(
                object_pairs_hook=an_object, parse_float=_number, parse_int=_whole, parse_constant=_constant
            ).decode(text)
    except JSONDecodeError as error:
        raise _syntax_error(text, error) from None
    except _NotANumber as error:
        raise CircuitError(
            f"{error} is no value in JSON",
            position=Position.at(text, _offset_of_constant(text, str(error))),
            found=str(error),
            expected="a number, a text, true, false, null, a list or an object",
            hint="write null, or the value as a text in quotes",
        ) from None
    except RecursionError:
        raise CircuitError(
            "The text is nested too deeply to be read",
            expected="lists and objects that lie a few dozen deep at most",
            hint="check whether something was wrapped in itself again and again",
        ) from None


def _repeated(value: Any, doubled: list[tuple[dict[str, Any], list[tuple[str, Any]]]]) -> tuple[Repeated, ...]:
    """Where the objects with doubled members stand; those inside a member that was dropped stand nowhere."""
    names: dict[int, list[str]] = {}
    for made, pairs in doubled:
        seen: set[str] = set()
        again = dict.fromkeys(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        names[id(made)] = list(again)
    found: list[Repeated] = []
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        pointer, item = waiting.pop()
        if isinstance(item, dict):
            found += [Repeated(pointer, name) for name in names.get(id(item), ())]
            waiting += [(f"{pointer}/{escape_pointer(key)}", member) for key, member in reversed(item.items())]
        elif isinstance(item, list):
            waiting += [(f"{pointer}/{index}", item[index]) for index in range(len(item) - 1, -1, -1)]
    return tuple(found)


def kind_of(value: Any) -> str:
    """What a JSON value is, in words that a sentence can use."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f"the text “{value if len(value) <= 40 else value[:39] + '…'}”"
    return f"the number {value!r}"


# --- errors ------------------------------------------------------------------------------------------------------

_EXPECTED = {
    "Expecting value": "a value: a text in double quotes, a number, true, false, null, a list or an object",
    "Expecting ',' delimiter": "a comma, or the bracket that closes",
    "Expecting ':' delimiter": "a colon between the name and its value",
    "Expecting property name enclosed in double quotes": "a name in double quotes",
    "Unterminated string starting at": "a double quote that ends this text",
    "Invalid \\escape": 'an escape that JSON has, such as \\n, \\t, \\\\, \\" or \\u00e9',
    "Invalid \\uXXXX escape": "four hexadecimal digits after \\u",
    "Extra data": "nothing more: the document ended before this",
    "Invalid control character at": "an escape such as \\n: a text cannot hold a line break or control character",
    "Illegal trailing comma before end of": "no comma before the bracket that closes",
}
_COMMA_BEFORE_END = re.compile(r",\s*\Z")
_FOREIGN = {"None": "null", "undefined": "null", "nil": "null", "True": "true", "False": "false"}
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_WHITE = {"\n": "a line break", "\r": "a line break", "\t": "a tab", "\N{NO-BREAK SPACE}": "a no-break space"}
_QUOTES = ("“", "”", "„", "‘", "’")


def _syntax_error(text: str, error: JSONDecodeError) -> CircuitError:
    offset = error.pos
    if error.msg.startswith("Illegal trailing comma"):  # of Python 3.13, which points at it: be the same everywhere
        offset += 1 + len(text[offset + 1 :]) - len(text[offset + 1 :].lstrip())
    message = "Illegal trailing comma before end of" if _is_after_comma(text, offset) else error.msg
    expected = next((says for start, says in _EXPECTED.items() if message.startswith(start)), message)
    return CircuitError(
        "This is not JSON",
        position=Position.at(text, offset),
        found=_shown(text, offset),
        expected=expected,
        hint=_hint(text, offset, error.msg),
    )


def _is_after_comma(text: str, offset: int) -> bool:
    """Whether a bracket that closes stands at `offset`, behind a comma that has no business there."""
    return text[offset : offset + 1] in ("}", "]") and bool(
        _COMMA_BEFORE_END.search(text[max(0, offset - 200) : offset])
    )


def _hint(text: str, offset: int, message: str) -> str:
    """What to do about a slip that people make often; "" for any other."""
    found = text[offset : offset + 1]
    if message.startswith("Invalid \\"):
        return "write a backslash that is meant as one twice: \\\\"
    if message.startswith("Invalid control character"):
        return "write \\t for a tab" if found == "\t" else "write \\n for a line break, and keep the text on one line"
    if message.startswith("Unterminated string"):
        return 'is a quote inside the text? Write it as \\"; else the text ends too early: check that all was copied'
    if _is_after_comma(text, offset):
        return "remove the comma before it"
    if text[offset : offset + 2] in ("//", "/*") or found == "#":
        return "JSON has no comments; remove it"
    if found == "'":
        return "use double quotes"
    if found and found in (*_QUOTES, "\N{NO-BREAK SPACE}"):
        return "a word processor changed this character; type it anew"
    if offset >= len(text.rstrip()):
        return "the text ends too early; check that all of it was copied"
    return _hint_of_word(text, offset, message)


def _hint_of_word(text: str, offset: int, message: str) -> str:
    """About a word without quotes, or what stands where a comma belongs."""
    word = _WORD.match(text, offset)
    if message.startswith("Expecting ',' delimiter"):
        return (
            "put a comma before it"
            if text[offset] in '"{['
            else 'is there a quote inside the text before it? Write \\"'
        )
    if word and message.startswith("Expecting value"):
        return f"write {_FOREIGN[word[0]]}" if word[0] in _FOREIGN else f'put it in quotes: "{word[0]}"'
    return f'put it in quotes: "{word[0]}"' if word else ""


def _shown(text: str, offset: int) -> str:
    if offset >= len(text.rstrip()):
        return "the end of the text"
    if text[offset] in _WHITE:
        return _WHITE[text[offset]]
    piece = text[offset : offset + 24].split("\n")[0].strip()
    return _SURROGATE.sub("�", piece) or "a control character"


def _offset_of_constant(text: str, name: str) -> int:
    """Where the first NaN or Infinity stands that is not inside a text."""
    for match in re.finditer(r'"[^"\\]*(?:\\.[^"\\]*)*"|' + re.escape(name), text, re.DOTALL):
        if match[0] == name:
            return match.start()
    return 0


# --- writing -----------------------------------------------------------------------------------------------------


def write(value: Any, indent: int = 1) -> str:
    """A value as JSON with an indentation of `indent` spaces, keys in their order, numbers and texts exactly.

    Characters stand for themselves; only a lone surrogate, which no file can hold, stays an escape.
    """
    try:
        text = dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return _written(value, indent)
    return _SURROGATE.sub(_escaped, text) if not _has_numbers(value) else _written(value, indent)


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _has_numbers(value: Any) -> bool:
    """Whether a number in it has digits of its own to keep."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += item.values()
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, Number):
            return True
    return False


_compact = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def setting_text(value: Any) -> str:
    """A setting as it is shown to people: a text as it is, anything else as JSON on one line."""
    if type(value) is str:
        return value
    try:
        return _compact(value)
    except (ValueError, RecursionError):  # a number that no float holds, or very deep nesting
        return write(value)


def _written(value: Any, indent: int) -> str:
    """As `write`, item by item: for numbers with digits of their own and for nesting of any depth."""
    pieces: list[str] = []
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    while waiting:
        before, item, depth = waiting.pop()
        pieces.append(before)
        if isinstance(item, dict) and item:
            inner = "\n" + " " * (depth + indent)
            members = [(f"{_text(str(key))}: ", member) for key, member in item.items()]
        elif isinstance(item, list | tuple) and item:
            inner = "\n" + " " * (depth + indent)
            members = [("", member) for member in item]
        else:
            pieces.append(_scalar(item))
            continue
        open_, close = "{}" if isinstance(item, dict) else "[]"
        waiting.append((f"\n{' ' * depth}{close}", _NOTHING, 0))
        for index in range(len(members) - 1, -1, -1):
            name, member = members[index]
            waiting.append(((f"{open_}{inner}" if index == 0 else f",{inner}") + name, member, depth + indent))
    return "".join(pieces)


_NOTHING = object()


def _scalar(item: Any) -> str:
    if item is _NOTHING:
        return ""
    if isinstance(item, Number):
        return item.literal
    if isinstance(item, str):
        return _text(item)
    return dumps(item, allow_nan=False)


def _text(text: str) -> str:
    return _SURROGATE.sub(_escaped, dumps(text, ensure_ascii=False))
