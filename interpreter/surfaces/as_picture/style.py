"""How a page of pictures looks: its style, for both themes.

Enters: nothing. Leaves: CSS that needs nothing from elsewhere, no font either.
"""

from __future__ import annotations

from .colours import DARK, INK, MUTED, PAPER, RIM, TRACK

_BACK, _BACK_DARK = "#f3f5f7", "#0d1014"
_COLOURS = {"paper": PAPER, "ink": INK, "muted": MUTED, "rim": RIM, "row": TRACK}
_DAY = "; ".join(f"--{name}: {colour}" for name, colour in _COLOURS.items())
_NIGHT = "; ".join(f"--{name}: {DARK[colour]}" for name, colour in _COLOURS.items())

STYLE = f"""
:root {{ color-scheme: light dark; --ground: {_BACK}; {_DAY} }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ground: {_BACK_DARK}; {_NIGHT} }}
}}
* {{ box-sizing: border-box }}
body {{
  margin: 0; padding: 20px 12px 32px;
  background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}}
header, footer {{ max-width: 1148px; margin: 0 auto; padding: 0 4px; overflow-wrap: anywhere }}
h1 {{ margin: 0 0 6px; font-size: 1.5rem; line-height: 1.25 }}
p {{ margin: 0 0 4px }}
.soft, footer, caption {{ color: var(--muted); font-size: .875rem }}

main {{ display: flex; flex-wrap: wrap; gap: 16px; align-items: start; max-width: 1148px; margin: 20px auto }}
figure {{
  flex: 1 1 336px; min-width: 0; max-width: 372px; margin: 0;
  background: var(--paper); border: 1px solid var(--rim); border-radius: 10px; overflow: hidden;
}}
figure:only-child {{ max-width: 560px }}
figure.wide {{ flex-basis: 100%; max-width: max-content }}
.drawing {{ overflow-x: auto }}
svg {{ display: block; width: 100%; max-width: 480px; height: auto; margin: 0 auto }}
.wide svg {{ width: auto; max-width: none; margin: 0 }}
svg text {{ font-family: system-ui, sans-serif }}

details {{ border-top: 1px solid var(--rim) }}
summary {{ padding: 10px 16px; cursor: pointer; color: var(--muted); font-size: .875rem }}
:focus-visible {{ outline: 2px solid var(--muted); outline-offset: -3px }}
.numbers {{ overflow-x: auto; padding: 0 16px 14px }}
table {{ border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums }}
caption {{ text-align: left; padding-bottom: 6px }}
th, td {{ padding: 4px 14px 4px 0; text-align: left; vertical-align: top; border-top: 1px solid var(--row) }}
th {{ font-weight: 600; white-space: nowrap }}
thead th {{ color: var(--muted); font-weight: 500; border-top: 0 }}
.exact {{ white-space: nowrap }}
.long {{ min-width: 44ch; overflow-wrap: anywhere }}
@media print {{ figure {{ break-inside: avoid }} }}
"""
