"""`circuit completion`: the script that makes a shell complete this command."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  circuit completion bash >> ~/.bashrc
  circuit completion zsh >> ~/.zshrc
  circuit completion fish > ~/.config/fish/completions/circuit.fish"""


@click.command("completion", epilog=EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the shell completion for this command.

    The script asks `circuit` itself for what can follow, so it stays right when commands are added.
    """
    from click.shell_completion import get_completion_class

    root = ctx.find_root()
    kind = get_completion_class(shell)
    assert kind is not None, "click knows the three shells"
    click.echo(kind(root.command, {}, "circuit", "_CIRCUIT_COMPLETE").source())
