"""What a shell offers for the values of options and arguments; `circuit completion` prints its script."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

PLACE = click.Path(readable=False, allow_dash=True)
"""A file or folder, or what stands for one (-, a URL): nothing is refused here, but the shell offers what there is."""


def offering(words: Callable[[], Iterable[str]], otherwise: str = "") -> Completer:
    """Offers the words that begin as what was typed; when there is none, what the shell itself has of a kind."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        found = [CompletionItem(word) for word in words() if word.lower().startswith(incomplete.lower())]
        return found or ([CompletionItem(incomplete, type=otherwise)] if otherwise else [])

    return complete
