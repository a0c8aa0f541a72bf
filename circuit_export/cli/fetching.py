"""The options of every command that can read a URL."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from circuit_export.api import Fetching

Command = TypeVar("Command", bound=Callable[..., Any])

MIB = 1024 * 1024


def fetching_options(command: Command) -> Command:
    """Adds the limits for a URL, handed to the command as one `fetching`."""

    @functools.wraps(command)
    def with_fetching(
        *args: Any, max_size: int, timeout: float, max_redirects: int, trust_env: bool, **kwargs: Any
    ) -> Any:
        fetching = Fetching(max_size * MIB, timeout, max_redirects, trust_env)
        return command(*args, fetching=fetching, **kwargs)

    for option in (
        click.option("--trust-env", is_flag=True, help="URL: use the proxy and credentials of the environment."),
        click.option(
            "--max-redirects", type=click.IntRange(0), default=5, show_default=True, help="URL: hops followed."
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(0, min_open=True),
            default=10.0,
            show_default=True,
            help="URL: seconds in all.",
        ),
        click.option(
            "--max-size", type=click.IntRange(1), default=25, show_default=True, help="URL: MiB read at most, unpacked."
        ),
    ):
        with_fetching = option(with_fetching)
    return with_fetching  # type: ignore[return-value]
