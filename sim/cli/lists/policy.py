"""`estoc policy`: policies, and what each is made of."""

import click

from ..help import Command, show


@click.command(cls=Command)
@click.argument("name", required=False)
def policy(name: str | None) -> None:
    """Print the policies by which a side decides, and what each is made of.

    With the NAME of a policy for cards, its file, to be copied and changed.
    """
    from ....profiles.armies.card_policy import card_policy_text
    from ...base.policy import description
    from ...battle.policy import battle_description

    every = f"{description()}\n{battle_description()}"
    show(card_policy_text(name) if name else every)
