"""Compiles what stands at the root of a program beside its calls: its version, its input and its output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kdlquery.types import CSTPropEntry

from circuit_export.formats.circuitry.calls import Compiler, Wrong
from circuit_export.formats.circuitry.program import VERSION, Extent, Said

if TYPE_CHECKING:
    from kdlquery.types import CSTNode, Span

    from circuit_export.formats.circuitry.expressions import Expression, Sections
    from circuit_export.formats.circuitry.patterns import Pattern
    from circuit_export.formats.circuitry.reading import Places


class RootReader:
    """Reads the nodes at the root; `said` is what is wrong with them."""

    def __init__(self, sections: Sections, places: Places) -> None:
        self.said: list[Said] = []
        self._compile = Compiler(sections)
        self._places = places

    def version(self, nodes: list[CSTNode]) -> None:
        """Checks the version of the language, which need not be named."""
        if not nodes:
            return
        if len(nodes) > 1:
            self._say("program.version.duplicate", "The version is named twice", nodes[1])
        node = nodes[0]
        arguments = [entry.value.value for entry in node.entries if not isinstance(entry, CSTPropEntry)]
        if arguments != [VERSION] or not isinstance(arguments[0], str):
            self._say("program.version.unsupported", f'The version is not "{VERSION}", the one that is known', node)
        if len(arguments) < len(node.entries) or node.has_children_block:
            self._say("program.version.invalid", "Beside the version, circuitry holds nothing", node)

    def input(self, nodes: list[CSTNode]) -> Pattern | None:
        """The pattern of the input, None when there is no `in`."""
        if not nodes:
            return None
        if len(nodes) > 1:
            self._say("program.input.duplicate", "The program has more than one in", nodes[1])
        node = nodes[0]
        try:
            self._no_tag(node, "program.input.codec")
            return self._compile.pattern(self._compile.body(node, "program.input"), node.span)
        except Wrong as wrong:
            self._say(wrong.code, str(wrong), node, wrong.span)
        return None

    def output(self, nodes: list[CSTNode]) -> Expression | None:
        """The expression of the result, None when there is none that can be used."""
        if not nodes:
            message = "The program has no out, so nothing says what its result is"
            self.said.append(Said("program.output", message))
            return None
        if len(nodes) > 1:
            self._say("program.output", "The program has more than one out", nodes[1])
        node = nodes[0]
        try:
            self._no_tag(node, "program.output.codec")
            return self._compile.expression(self._compile.body(node, "program.output"), node.span)
        except Wrong as wrong:
            self._say(wrong.code, str(wrong), node, wrong.span)
        return None

    @staticmethod
    def _no_tag(node: CSTNode, code: str) -> None:
        if node.type_annotation is not None:
            message = f"The program's {node.name.value} has the tag {node.type_annotation.raw[:40]}; it takes none"
            raise Wrong(code, message, node.type_annotation.span)

    def _say(self, code: str, message: str, node: CSTNode, span: Span | None = None) -> None:
        start, end = self._places.marks(node.span)
        exact = span or node.span
        self.said.append(Said(code, message, start, end, Extent(exact.start.offset, exact.end.offset)))
