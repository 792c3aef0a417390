import click
@click.command()
def show() -> None:
    """todo"""
