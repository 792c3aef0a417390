"""The studio: house rules written, asked and shared in a browser on this machine, without a terminal.

`tasks` are answered in a process of their own (`worker`); `desk` is what one visitor has before them; `page` shows it.
Only `page` and what begins with it knows nicegui.
"""
