import click
@click.command()
def coverage() -> None:
    """todo"""
