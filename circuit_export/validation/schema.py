"""Checks a document against the JSON Schema of its format, and says what is wrong in this project's words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from circuit_export import resources
from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity, escape_pointer, pointer_tokens
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.likeness import nearest

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError  # type: ignore[import-untyped, unused-ignore]
    from jsonschema.protocols import Validator  # type: ignore[import-untyped, unused-ignore]

CODE, NAME = "C101", "wrong-shape"
MOST = 1_000
"""Findings of one document at most; more of one kind help nobody."""

_KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}


def schema_text(name: str) -> str:
    """The text of the schema called `name` ("steps", "scenarios", "config"). Raises KeyError for another name."""
    if name not in names():
        raise KeyError(name)
    return (resources.folder("schemas") / f"{name}.schema.json").read_text("utf-8")


@cache
def names() -> tuple[str, ...]:
    """The names of the schemas there are, sorted."""
    suffix = ".schema.json"
    return tuple(sorted(path.name.removesuffix(suffix) for path in resources.folder("schemas").glob(f"*{suffix}")))


@cache
def validator(name: str) -> Validator:
    """The validator of the schema called `name`."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped, unused-ignore]
    from jsonschema.validators import extend  # type: ignore[import-untyped, unused-ignore]

    kind: Any = extend(Draft202012Validator, {"allOf": _all_of, "oneOf": _one_of})
    made: Validator = kind(json.loads(schema_text(name)))
    return made


@cache
def _quick(name: str) -> Any:
    """A validator that only knows valid from not, when the one who installed this wanted it; else None."""
    try:
        import jsonschema_rs  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return jsonschema_rs.Draft202012Validator(json.loads(schema_text(name)))


def shape_findings(value: Any, name: str) -> list[Diagnostic]:
    """What the schema called `name` has against a JSON value, in the order of its members."""
    if _is_quickly_valid(value, name):
        return []
    found: dict[tuple[str, str], Diagnostic] = {}
    try:
        for error in validator(name).iter_errors(value):
            for diagnostic in _explained(error, value):
                found.setdefault((diagnostic.pointer, diagnostic.message), diagnostic)
            if len(found) >= MOST:
                break
    except RecursionError:
        message = "The document is nested too deeply to be checked against its schema"
        return [Diagnostic(CODE, NAME, Severity.ERROR, message)]
    order = {pointer: place for place, pointer in enumerate(_pointers(value, {place for place, _ in found}))}
    return sorted(found.values(), key=lambda diagnostic: order.get(diagnostic.pointer, len(order)))


def _is_quickly_valid(value: Any, name: str) -> bool:
    quick = _quick(name)
    try:
        return quick is not None and bool(quick.is_valid(value))
    except (TypeError, ValueError, OverflowError, RecursionError):  # a value it has no words for: jsonschema has
        return False


def _pointers(value: Any, wanted: set[str]) -> Iterator[str]:
    """The wanted pointers in the order of the document."""
    tree: dict[str, Any] = {}
    for pointer in wanted:
        node = tree
        for token in pointer_tokens(pointer):
            node = node.setdefault(token, {})
    waiting = [(value, tree, "")]
    while waiting:
        item, node, pointer = waiting.pop()
        yield pointer
        members = item.items() if isinstance(item, Mapping) else enumerate(item) if isinstance(item, list) else ()
        inner = [
            (member, node[str(name)], f"{pointer}/{escape_pointer(name)}")
            for name, member in (members if node else ())
            if str(name) in node
        ]
        waiting += reversed(inner)


# --- jsonschema, without trying every type for every step -----------------------------------------------------------


def _all_of(validator: Any, members: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """As the keyword says; members that are all "if KEY is CONST then …" are looked up instead of tried in turn."""
    key, table = _table(id(members), members)
    if key and isinstance(instance, Mapping):
        value = instance.get(key)
        if isinstance(value, str) and value in table:
            index, then = table[value]
            for error in validator.descend(instance, then, schema_path="then"):
                error.schema_path.appendleft(index)
                yield error
        return
    for index, member in enumerate(members):
        yield from validator.descend(instance, member, schema_path=index)


def _one_of(validator: Any, members: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """As the keyword says; a text is looked up in members that are all constants."""
    if isinstance(instance, str) and instance in _constants(id(members), members):
        return
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped, unused-ignore]

    yield from Draft202012Validator.VALIDATORS["oneOf"](validator, members, instance, schema)


_CONSTANTS: dict[int, tuple[Any, frozenset[str]]] = {}


def _constants(identity: int, members: Any) -> frozenset[str]:
    """The texts that members allow which are nothing but different constants; none when they are not that."""
    known = _CONSTANTS.get(identity)
    if known is None or known[0] is not members:
        texts = [
            member["const"]
            for member in members
            if isinstance(member, dict) and {"const"} <= set(member) <= {"const", "title", "description"}
        ]
        only = len(texts) == len(members) == len(set(map(str, texts)))
        known = _CONSTANTS[identity] = (members, frozenset(filter(_is_text, texts)) if only else frozenset())
    return known[1]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_TABLES: dict[int, tuple[Any, str, dict[str, tuple[int, Any]]]] = {}


def _table(identity: int, members: Any) -> tuple[str, dict[str, tuple[int, Any]]]:
    # The members are kept beside their table, so that no other list can come to have their identity.
    known = _TABLES.get(identity)
    if known is None or known[0] is not members:
        known = _TABLES[identity] = (members, *_tabulated(members))
    return known[1], known[2]


def _tabulated(members: Any) -> tuple[str, dict[str, tuple[int, Any]]]:
    table: dict[str, tuple[int, Any]] = {}
    keys = set()
    for index, member in enumerate(members):
        condition = member.get("if", {}) if isinstance(member, dict) else {}
        properties = condition.get("properties", {})
        if set(member) != {"if", "then"} or len(properties) != 1 or condition.get("required") != list(properties):
            return "", {}
        (key, rule), *_ = properties.items()
        if set(rule) != {"const"} or not isinstance(rule["const"], str) or rule["const"] in table:
            return "", {}
        keys.add(key)
        table[rule["const"]] = (index, member["then"])
    return (keys.pop(), table) if len(keys) == 1 else ("", {})


# --- words ----------------------------------------------------------------------------------------------------------


def _explained(error: ValidationError, value: Any) -> Iterator[Diagnostic]:
    """An error of jsonschema as findings; one that only says that something inside is wrong is what is inside."""
    tokens = list(error.absolute_path)
    pointer = "".join(f"/{escape_pointer(token)}" for token in tokens)
    who, where = _whose(tokens, value)
    found: Any = error.instance
    rule: Any = error.validator_value
    match str(error.validator):
        case "required":
            for name in rule:
                if name not in found:
                    # The member's own place is the object: there is nothing else to point at.
                    yield _made(f"{who} has no “{_joined(where, name)}”", pointer, value, tokens)
        case "additionalProperties" if rule is False:
            known = list(error.schema.get("properties", {})) if isinstance(error.schema, Mapping) else []
            for name in found:
                if name not in known:
                    yield _unknown_key(f"{who} has the unknown key “{_joined(where, name)}”", pointer, name, known)
        case "oneOf" | "enum" | "const" if (allowed := _allowed(error)) is not None:
            yield _none_of(f"{who}: {_named(where)} is {kind_of(found)}", pointer, found, allowed, value, tokens)
        case _:
            message = f"{who}: {_named(where)} is {_found(found, error)}; it must be {_expected(error)}"
            yield _made(message, pointer, value, tokens)


def _whose(tokens: list[Any], value: Any) -> tuple[str, str]:
    """Who a place belongs to, as the start of a sentence, and the way to it from there."""
    owner, rest = "The document", tokens
    if len(tokens) > 1 and isinstance(tokens[1], int) and isinstance(tokens[0], str):
        item = value[tokens[0]][tokens[1]]
        kind = {"steps": "Step", "inputs": "Input", "scenarios": "Scenario", "nodes": "Node"}.get(tokens[0])
        if kind is not None:
            name = next((item[key] for key in ("id", "name") if isinstance(item.get(key), str)), None) if (
                isinstance(item, Mapping)
            ) else None  # fmt: skip
            owner = f"{kind} “{name}”" if name is not None else f"{kind} {tokens[1] + 1}"
            rest = tokens[2:]
    return owner, _way(rest)


def _way(tokens: list[Any]) -> str:
    way = ""
    for token in tokens:
        way += f"[{token}]" if isinstance(token, int) else f".{token}" if way else str(token)
    return way


def _joined(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _named(where: str) -> str:
    return f"“{where}”" if where else "it"


def _allowed(error: ValidationError) -> list[Any] | None:
    """The values of which one is asked for; None when it is not a choice of values."""
    rule: Any = error.validator_value
    if error.validator == "enum":
        return list(rule)
    if error.validator == "const":
        return [rule]
    consts = [member["const"] for member in rule if isinstance(member, Mapping) and "const" in member]
    return consts if len(consts) == len(rule) else None


def _none_of(start: str, pointer: str, found: Any, allowed: list[Any], value: Any, tokens: list[Any]) -> Diagnostic:
    texts = [item for item in allowed if isinstance(item, str)]
    near = nearest(found, texts) if isinstance(found, str) else None
    listed = [item if isinstance(item, str) else json.dumps(item) for item in allowed]
    choice = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"
    place = Place(pointer)
    return Diagnostic(
        CODE,
        NAME,
        Severity.ERROR,
        f"{start}; it must be {choice}",
        pointer,
        step=_step(value, tokens),
        hint=f"did you mean “{near}”?" if near else "",
        fix=Fix(f"write “{near}”", (Edit(Action.REPLACE, place, near),)) if near else None,
    )


def _unknown_key(message: str, pointer: str, name: str, known: list[str]) -> Diagnostic:
    place = Place(f"{pointer}/{escape_pointer(name)}", key=True)
    near = nearest(name, known)
    return Diagnostic(
        CODE,
        NAME,
        Severity.ERROR,
        message,
        place.pointer,
        key=True,
        hint=f"did you mean “{near}”?" if near else f"the keys are {', '.join(known)}",
        fix=Fix(f"write “{near}”", (Edit(Action.REPLACE, place, near),)) if near else None,
    )


def _made(message: str, pointer: str, value: Any, tokens: list[Any]) -> Diagnostic:
    return Diagnostic(CODE, NAME, Severity.ERROR, message, pointer, step=_step(value, tokens))


def _step(value: Any, tokens: list[Any]) -> str | None:
    """The id of the step that a place is in."""
    if len(tokens) > 1 and tokens[0] == "steps" and isinstance(tokens[1], int):
        step = value["steps"][tokens[1]]
        id = step.get("id") if isinstance(step, Mapping) else None
        return id if isinstance(id, str) else None
    return None


def _found(found: Any, error: ValidationError) -> str:
    """What stands there; of a list or object that is too small how much it holds."""
    if error.validator in ("minItems", "minProperties") and isinstance(found, list | dict):
        return f"{'a list' if isinstance(found, list) else 'an object'} of {len(found)}"
    return kind_of(found)


def _expected(error: ValidationError) -> str:
    """What should stand there, as the end of a sentence."""
    rule: Any = error.validator_value
    match str(error.validator):
        case "type":
            kinds = [rule] if isinstance(rule, str) else rule
            return " or ".join(_KINDS.get(kind, kind) for kind in kinds)
        case "minLength":
            return "a text that is not empty" if rule == 1 else f"a text of at least {rule} characters"
        case "minItems":
            return "a list with at least one item" if rule == 1 else f"a list of at least {rule} items"
        case "minProperties":
            return "an object with something in it"
        case "minimum":
            return f"at least {rule}"
        case "maximum":
            return f"at most {rule}"
        case "pattern":
            return f"a text like {rule}"
        case "anyOf" | "oneOf":
            said = [_of_schema(member) for member in rule]
            return " or ".join(dict.fromkeys(said))
        case _:
            return f"as its schema says ({error.validator})"


def _of_schema(member: Any) -> str:
    """What one of several schemas asks for."""
    if not isinstance(member, Mapping):
        return "something else"
    kind = _KINDS.get(str(member.get("type")), "a value")
    if "minimum" in member:
        return f"{kind} of at least {member['minimum']}"
    described = member.get("description")
    if "pattern" in member and isinstance(described, str):
        return described[:1].lower() + described[1:].rstrip(".")
    return kind
