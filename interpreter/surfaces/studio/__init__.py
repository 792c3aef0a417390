"""The studio: house rules written, asked and shared in a browser on this machine, without a terminal.

`tasks` run in a separate process (`worker`); `desk` is the state of one visitor; `page` shows it. Only `page` and the
modules that start it import nicegui.
"""
