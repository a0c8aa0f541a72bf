"""Finds all definitions in a source: unwraps layer by layer, and looks in each the surest way first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from circuit_export.definition import Bundle, Definition
from circuit_export.restore import extract, markup, mime, scan, slices, stated, unwrap
from circuit_export.restore.budget import Budget
from circuit_export.restore.charset import decode, is_noise, well_formed
from circuit_export.restore.found import Digest, Findings, Found, Recognise
from circuit_export.restore.looks import Looks, binary
from circuit_export.restore.pasted import pasted
from circuit_export.restore.paths import unfit

LIMIT = 25 * 1024 * 1024
"""Bytes that a source may have once unpacked, unless told otherwise."""

_DEEPEST = 10  # wrappings within wrappings
_MOST_FOUND = 1_000
_LARGE = 4_000_000  # characters: in a text so long what is second best is good enough
_SHORTEST = 12  # characters: no definition is shorter, and most objects of JSON are


class Layer(NamedTuple):
    """Something to look into: bytes or a text, how it was reached, and what has to be said about that."""

    content: bytes | str
    route: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    charset: str | None = None

    def inner(self, words: str, content: bytes | str, note: str = "", charset: str | None = None) -> Layer:
        """What lies in this layer, one wrapping further in."""
        return Layer(content, (*self.route, words), (*self.notes, note) if note else self.notes, charset)


def find(data: bytes | str, recognise: Recognise, *, charset: str | None = None, limit: int = LIMIT) -> Findings:
    """All definitions in `data`, each once; what the source looked like when there are none.

    `charset` is what a server said of the bytes. Raises CircuitError only for a source that is, or unpacks to,
    more than `limit` bytes.
    """
    if len(data) > limit:
        raise unwrap.TooLarge(
            "It is larger than what is read",
            found=f"{len(data):,} bytes",
            expected=f"at most {limit:,} bytes",
            hint="give a larger limit, or cut out the page that is meant",
        )
    search = Search(recognise, limit, len(data))
    found = _each_once(search.visit(Layer(data, charset=charset)))
    gave_up = tuple(search.budget.given_up)
    if found:
        if gave_up:
            found = [Found(item.bundle, item.digest, item.route, (*item.notes, *gave_up)) for item in found]
        return Findings(tuple(found), notes=gave_up)
    seen = search.looks.answer()
    what = f"{seen.what} (not searched to its end: {'; '.join(gave_up)})" if gave_up else seen.what
    return Findings((), what, seen.hint, seen.position, gave_up)


class Search:
    """One search: what recognises a definition, what work is left, what was seen on the way."""

    def __init__(self, recognise: Recognise, limit: int, size: int) -> None:
        self.recognise = recognise
        self.limit = limit
        self.budget = Budget(4 * size + 10_000_000)
        self.growth = 4 * limit
        self.mending = Budget(5 * size + 250_000_000)
        self.looks = Looks()
        self.visited: set[bytes | str] = set()

    # --- layers --------------------------------------------------------------------------------------------------

    def visit(self, layer: Layer) -> list[Found]:
        """The definitions of a layer and of all that is wrapped in it."""
        if not layer.content or layer.content in self.visited or len(layer.route) > _DEEPEST:
            return []
        if not self.budget.layer() or not self.budget.spend(len(layer.content)):
            return []
        self.visited.add(layer.content)
        return self._bytes(layer, layer.content) if isinstance(layer.content, bytes) else self._text(layer)

    def _best(self, layers: Iterable[Layer]) -> list[Found]:
        """The definitions of the first of `layers` that has an untouched one, else of the first that has any."""
        best: list[Found] = []
        for layer in layers:
            found = self.visit(layer)
            if any(item.digest is Digest.MATCHES for item in found):
                return found
            best = best or found
        return best

    def _all(self, layers: Iterable[Layer]) -> list[Found]:
        found: list[Found] = []
        for layer in layers:
            found += self.visit(layer)
            if len(found) >= _MOST_FOUND:
                self.budget.give_up(f"It holds more than {_MOST_FOUND} workflows")
                break
        return found

    def _bytes(self, layer: Layer, data: bytes) -> list[Found]:
        unpacked = unwrap.decompressed(data, self.limit)
        if unpacked is not None:
            if unpacked[0] == "gzip" or unpacked[1]:
                self._unpacked(len(unpacked[1]))
                return self.visit(layer.inner(*unpacked, charset=layer.charset))
        elif kind := binary(data):
            self.looks.binary(kind)
            return []
        mail = mime.mail(data)
        if mail is not None:
            found = self._mail(layer, mail)
            if found:
                return found
        text, _, notes = decode(data, layer.charset)
        if is_noise(text):
            self.looks.binary("binary data of an unknown kind")
            return []
        return self._text(Layer(text, layer.route, (*layer.notes, *notes)))

    def _unpacked(self, size: int) -> None:
        """Lets what was packed take as much work as if it had come unpacked; in all no more than the largest source."""
        more = min(4 * size, self.growth)
        self.growth -= more
        self.budget.grow(more)

    def _mail(self, layer: Layer, mail: mime.Mail) -> list[Found]:
        outer = layer.inner(mail.kind, b"")
        words = {"text/html": "page", "text/plain": "text"}
        return self._all(
            outer.inner(words.get(part.media_type, f"part {part.media_type}"), part.data, charset=part.charset)
            for part in mail.parts
        )

    def _text(self, layer: Layer) -> list[Found]:
        assert isinstance(layer.content, str)
        text, lost = well_formed(layer.content.removeprefix("\ufeff"))
        if lost:
            layer = layer.inner("text", "", "Lone surrogates were replaced by “\ufffd”")
        promised = scan.DIGEST_NAME in text  # then a copy without its digest is second best
        second: list[Found] = []
        for way in (
            self._whole,
            self._wrapped_whole,
            self._pages,
            self._parts,
            self._pasted,
            self._strings,
            self._undone,
        ):
            found = way(layer, text)
            if any(item.digest is Digest.MATCHES for item in found):
                return found
            if found and not second:
                # A block whose digest differs may only be wrapped once more: whoever holds the true text wins.
                differs = any(item.digest is Digest.DIFFERS for item in found)
                if way == self._whole or not (differs or promised) or len(text) > _LARGE:
                    return found
                second = found
        return second

    # --- the ways to look into a text, surest first --------------------------------------------------------------

    def _whole(self, layer: Layer, text: str) -> list[Found]:
        """The text is a definition as it stands."""
        if extract.is_json(text):
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        name = self.recognise(text)
        if name is None:
            return []
        return [self._plain(layer, text, name, "the whole text")]

    def _wrapped_whole(self, layer: Layer, text: str) -> list[Found]:
        """The text is one `data:` URL, or a mail that was pasted."""
        url = unwrap.data_url(text)
        if url is not None:
            return self.visit(layer.inner("data: URL", url.data, charset=url.charset))
        if not layer.route:
            mail = mime.mail(text.encode("utf-8")) if ":" in text[:100] else None
            if mail is not None:
                return self._mail(layer, mail)
        return []

    def _pages(self, layer: Layer, text: str) -> list[Found]:
        """The text is a page with the definition's block, or holds such pages in frames and links."""
        everything = scan.blocks(text)
        blocks, frames = scan.apart(everything, list(scan.frames(text)))
        found = extract.page(blocks, self.recognise, self.mending, layer.route, layer.notes)
        found += self._all(layer.inner("iframe srcdoc", markup.decode(frame.value)) for frame in frames)
        if not found and len(blocks) < len(everything):
            found = extract.page(everything, self.recognise, self.mending, layer.route, layer.notes)
        if everything and not found:
            self.looks.block(everything[0])
        if not found:
            urls = unwrap.data_urls(text)
            found += self._all(layer.inner("data: URL", url.data, charset=url.charset) for url in urls)
        return found

    def _parts(self, layer: Layer, text: str) -> list[Found]:
        """Definitions stand in the text: in fences, or as objects of JSON between other things."""
        found: list[Found] = []
        position = 0
        for fence in slices.fences(text):
            inside = self._fenced(layer, text, fence)
            if inside:
                found += self._objects(layer, text, slices.Span(position, fence.span.start))
                found += inside
                position = fence.span.end
        found += self._objects(layer, text, slices.Span(position, len(text)))
        return stated.settle(found, text, self.mending) if found else []

    def _fenced(self, layer: Layer, text: str, fence: slices.Fence) -> list[Found]:
        content = fence.content
        if not self.budget.spend(len(content)):
            return []
        if extract.is_json(content):
            if content in text[fence.span.start : fence.span.end]:  # not indented: places are those of the text
                return self._objects(layer, text, fence.span, "fence")
            return self._objects(layer, content, slices.Span(0, len(content)), "fence")
        name = self.recognise(content)
        if name is not None:
            return [self._plain(layer, content, name, "fence")]
        return self.visit(layer.inner("fence", content)) if scan.MAIN in content else []

    def _objects(
        self, layer: Layer, text: str, within: slices.Span, words: str = "text between other text"
    ) -> list[Found]:
        found: list[Found] = []
        position = within.start
        work = Budget(4 * (within.end - within.start) + 8_000_000)
        for span in slices.objects(text, within, self.budget):
            if span.start < position or span.end - span.start < _SHORTEST:
                continue
            if not work.spend(span.end - span.start):
                continue
            part = text[span.start : span.end]
            name = self.recognise(part)
            if name is None:
                self.looks.near(part, text, span.start, is_source=not layer.route)
                continue
            found.append(self._plain(layer, part, name, words))
            position = span.end
            if len(found) >= _MOST_FOUND:
                self.budget.give_up(f"It holds more than {_MOST_FOUND} workflows")
                break
        for sentence in work.given_up:
            self.budget.give_up(sentence)
        return found

    def _pasted(self, layer: Layer, text: str) -> list[Found]:
        """The text is what a page says, copied out of a browser: what fits its digest is the definition."""
        if not self.budget.spend(len(text)):
            return []
        found: list[Found] = []
        for one in pasted(text.replace("\r\n", "\n")):
            name = self.recognise(one.text)
            if name is None:
                continue
            if not one.path:
                main = Bundle(Definition(one.text, name))
                found.append(Found(main, Digest.MATCHES, (*layer.route, "the words of a page"), layer.notes))
            elif found and not unfit(one.path):
                bundle = found[-1].bundle
                others = (*bundle.others, Definition(one.text, name, one.path))
                found[-1] = replace(found[-1], bundle=bundle._replace(others=others))
        return found

    def _strings(self, layer: Layer, text: str) -> list[Found]:
        """A string of JSON (or of a script) holds a page or a definition."""
        if '"' not in text:
            return []
        interesting = (
            string
            for string in slices.long_strings(text)
            if len(string) < len(text) and ("<" in string or "{" in string or "data:" in string[:10] or "&" in string)
        )
        return self._all(layer.inner("JSON string", string) for string in interesting)

    def _undone(self, layer: Layer, text: str) -> list[Found]:
        self.looks.text(text, len(layer.route))
        steps = unwrap.undone(text)
        return self._best(layer.inner(step.words, step.content, step.note) for step in steps)

    def _plain(self, layer: Layer, text: str, name: str, words: str) -> Found:
        return Found(Bundle(Definition(text, name)), Digest.ABSENT, (*layer.route, words), layer.notes)


def _each_once(found: list[Found]) -> list[Found]:
    """Each definition once, in order; the copy whose digest holds, or that brings more with it, is the one kept."""
    kept: dict[tuple[str, str], Found] = {}
    rank = {Digest.MATCHES: 2, Digest.ABSENT: 1, Digest.DIFFERS: 0}
    for item in found:
        before = kept.get(item.key)
        better = before is None or (rank[item.digest], len(item.bundle.others)) > (
            rank[before.digest],
            len(before.bundle.others),
        )
        if better:
            kept[item.key] = item
    return list(kept.values())
