"""Compiles the calls of a program; of each it says the first thing that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from kdlquery.types import CSTPropEntry

from circuit_export.formats.circuitry.bodies import BadBody, boundary, is_finite, scalar, tag
from circuit_export.formats.circuitry.expressions import MissingSection, compile_value
from circuit_export.formats.circuitry.patterns import BadPattern, compile_pattern
from circuit_export.formats.circuitry.program import CODECS, JSON, Call, Extent, Said
from circuit_export.formats.wording import listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kdlquery.types import CSTEntry, CSTIdentifier, CSTNode, CSTValue, Span

    from circuit_export.formats.circuitry.expressions import Expression, Sections
    from circuit_export.formats.circuitry.patterns import Pattern
    from circuit_export.formats.circuitry.reading import Places

IN, OUT, ERROR = "in", "out", "error"
SOURCE = "source"
GENERATED = "circuitry"


class Wrong(ValueError):
    """What is wrong first; `span` is the part of the text that is to blame."""

    def __init__(self, code: str, message: str, span: Span) -> None:
        super().__init__(message)
        self.code = code
        self.span = span


class Compiler:
    """Compiles values of a program, with the words for what can be wrong in them."""

    def __init__(self, sections: Sections) -> None:
        self.sections = sections

    def expression(self, value: Any, span: Span) -> Expression:
        """The expression of a value. Raises Wrong."""
        if not is_finite(value):
            raise Wrong("value.number", "A number is not finite; no value can hold it", span)
        try:
            return compile_value(value, self.sections)
        except MissingSection as missing:
            message = f"There is no section {shown(missing.name)}"
            raise Wrong("program.section.missing", message, span) from None

    def pattern(self, value: Any, span: Span) -> Pattern:
        """The pattern of a value. Raises Wrong."""
        if not is_finite(value):
            raise Wrong("value.number", "A number is not finite; no value can be equal to it", span)
        try:
            return compile_pattern(value, self.sections)
        except BadPattern as bad:
            raise Wrong(bad.code, _pattern_words(bad), span) from None

    def body(self, node: CSTNode, code: str) -> Any:
        """The value of a boundary. Raises Wrong."""
        try:
            return boundary(node)
        except BadBody as bad:
            raise Wrong(code, str(bad), bad.node.span) from None


def _pattern_words(bad: BadPattern) -> str:
    if bad.code == "program.pattern.section":
        return f"A pattern mentions a section in {shown(bad.text)}; what a value must be is written out"
    return f"A pattern has a name inside the longer text {shown(bad.text)}; a capture stands alone, as $name or ?name"


def _parts(
    source: CSTValue | CSTIdentifier, values: Sequence[CSTEntry], boundaries: tuple[CSTNode, ...]
) -> Iterator[tuple[str, Extent]]:
    """What a call says, with where each value stands; the values of a boundary are what follows its name."""
    yield SOURCE, Extent(source.span.start.offset, source.span.end.offset)
    if values:
        yield "arguments", Extent(values[0].span.start.offset, values[-1].span.end.offset)
    for node in boundaries:
        yield node.name.value, Extent(node.name.span.end.offset, node.span.end.offset)


class CallReader:
    """Reads calls one by one; `calls` are those that are fine, `said` what is wrong with the others."""

    def __init__(self, sections: Sections, places: Places) -> None:
        self.calls: list[Call] = []
        self.said: list[Said] = []
        self._names: set[str] = set()
        self._compile = Compiler(sections)
        self._places = places

    def read(self, node: CSTNode) -> None:
        """Reads one more call."""
        try:
            call = self._call(node)
        except Wrong as wrong:
            start, end = self._places.marks(node.span)
            exact = Extent(wrong.span.start.offset, wrong.span.end.offset)
            self.said.append(Said(wrong.code, str(wrong), start, end, exact, node.name.value))
            return
        self._names.add(call.name)
        self.calls.append(call)

    def _call(self, node: CSTNode) -> Call:
        name = node.name.value
        source = self._source(node)
        inputs, outputs, errors = self._children(node)
        compiled = self._compile
        generated = getattr(source, "type_annotation", None) is not None
        source_of = compiled.expression(scalar(source), source.span)
        values = [entry for entry in node.entries if not isinstance(entry, CSTPropEntry)]
        arguments = [compiled.expression(scalar(entry.value), entry.span) for entry in values]
        input, input_codec = None, JSON
        if inputs:
            input_codec = self._codec(inputs[0], name)
            input = compiled.expression(compiled.body(inputs[0], "program.call"), inputs[0].span)
        output_codec = self._codec(outputs[0], name)
        output = compiled.pattern(compiled.body(outputs[0], "program.call"), outputs[0].span)
        error = None
        if errors:
            error = compiled.pattern(compiled.body(errors[0], "program.call"), errors[0].span)
        if name in self._names:
            raise Wrong("program.call.duplicate", f"Another call is called {shown(name)} already", node.name.span)
        return Call(
            name,
            source_of,
            generated,
            tuple(arguments),
            input,
            input_codec,
            output,
            output_codec,
            error,
            self._places.extent(node),
            Extent(node.name.span.start.offset, node.name.span.end.offset),
            tuple(_parts(source, values, (*inputs, *outputs, *errors))),
        )

    def _source(self, node: CSTNode) -> CSTValue | CSTIdentifier:
        """The value of a call's one property."""
        name = shown(node.name.value)
        if node.type_annotation is not None:
            message = f"The call {name} has the tag {node.type_annotation.raw[:40]}; calls have none"
            raise Wrong("program.call.tag", message, node.type_annotation.span)
        properties = [entry for entry in node.entries if isinstance(entry, CSTPropEntry)]
        source = next((entry for entry in properties if entry.key.value == SOURCE), None)
        if source is None:
            message = f'{name} is no call: it says no source="…"; only in, out and circuitry are something else'
            raise Wrong("program.call.source", message, node.name.span)
        if len(properties) > 1:
            other = next(entry for entry in properties if entry is not source)
            found = "its source twice" if other.key.value == SOURCE else f"a property {shown(other.key.value)}"
            raise Wrong("program.call.property", f"The call {name} has {found}; it has one source, no more", other.span)
        kind = tag(getattr(source.value, "type_annotation", None))
        if kind is not None and kind != GENERATED:
            message = f"The source of {name} has the tag ({kind}); the only one it can have is ({GENERATED})"
            raise Wrong("program.call.source-tag", message, source.value.span)
        return source.value

    def _children(self, node: CSTNode) -> tuple[list[CSTNode], list[CSTNode], list[CSTNode]]:
        """The boundaries of a call: `in`, `out` and `error`."""
        name = shown(node.name.value)
        found: dict[str, list[CSTNode]] = {IN: [], OUT: [], ERROR: []}
        for child in node.children:
            kept = found.get(child.name.value)
            if kept is None:
                message = f"The call {name} has a {shown(child.name.value)}; it can have in, out and error"
                raise Wrong("program.call.child", message, child.span)
            kept.append(child)
        inputs, outputs, errors = found.values()
        for kind, nodes in found.items():
            if len(nodes) > 1:
                raise Wrong("program.call.boundary", f"The call {name} has more than one {kind}", nodes[1].span)
        if not outputs:
            raise Wrong("program.call.boundary", f"The call {name} has no out; every call has one", node.name.span)
        if errors and errors[0].type_annotation is not None:
            message = f"The error of {name} has a tag; a failure is always the same kind of value"
            raise Wrong("program.call.error-codec", message, errors[0].type_annotation.span)
        return inputs, outputs, errors

    def _codec(self, node: CSTNode, name: str) -> str:
        kind = tag(node.type_annotation)
        if kind is None:
            return JSON
        if kind not in CODECS:
            self._no_codec(node, name, kind)
        return kind

    @staticmethod
    def _no_codec(node: CSTNode, name: str, kind: str) -> NoReturn:
        known = listed([f"({codec})" for codec in CODECS], "or")
        message = f"The {node.name.value} of {shown(name)} is written as ({kind}), which is none; it can be {known}"
        raise Wrong("program.codec", message, (node.type_annotation or node.name).span)
