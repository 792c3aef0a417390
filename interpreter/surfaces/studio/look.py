"""The appearance of the page: one style sheet in two themes, and the syntax colouring of rule files.

Takes the text of a rule file. Gives ranges with class names. No colour carries information alone: each has a text or a
line too. Knows nothing of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.surfaces.as_picture.colours import DARK, ON_DEEP, ON_PALE, SERIES, STEPS

LONGEST = 60_000  # most characters to colour

BRAND = "#1f4d3a"  # contrast of more than 9:1 with white text, and with the light theme's paper
_DAY = {
    "back": "#f4f1ea", "paper": "#fffdf8", "ink": "#1d2226", "quiet": "#585f66", "rim": "#d9d3c5", "row": "#efeadf",
    "key": "#7a3e00", "word": "#1d2226", "number": "#0a5a8f", "note": "#66707a", "cite": "#0b6b50", "head": "#8a1c1c",
    "brand": BRAND, "on-brand": "#ffffff", "bad": "#b3261e", "bad-back": "#fbe9e7", "warn": "#8a5a00",
    "warn-back": "#fdf3dc", "good": "#1f6b3f", "before": SERIES[0], "after": SERIES[1], "focus": "#0a6aa6",
    "accent": BRAND,
}  # fmt: skip
_NIGHT = {
    "back": "#14171a", "paper": "#1c2024", "ink": "#e9e6df", "quiet": "#a7adb4", "rim": "#383e45", "row": "#262b30",
    "key": "#f0b072", "word": "#e9e6df", "number": "#7fc4f5", "note": "#9aa3ad", "cite": "#6fd3b0", "head": "#ff9b8f",
    "brand": "#2c6a51", "on-brand": "#ffffff", "bad": "#ff9b8f", "bad-back": "#3a2220", "warn": "#f0c674",
    "warn-back": "#352c18", "good": "#7fd6a2", "before": DARK[SERIES[0]], "after": DARK[SERIES[1]],
    "focus": "#7fc4f5", "accent": "#8fd6b8",
}  # fmt: skip


def _variables(colours: dict[str, str]) -> str:
    return ";".join(f"--u-{name}:{colour}" for name, colour in colours.items())


def _steps(dark: bool) -> str:
    rules = []
    for i, step in enumerate(STEPS):
        ink = ON_PALE if i < len(STEPS) // 2 else ON_DEEP
        back, text = (DARK[step], DARK[ink]) if dark else (step, ink)
        rules.append(f"{'.body--dark ' if dark else ''}.u-step-{i}{{background:{back};color:{text}}}")
    return "".join(rules)


STYLE = f"""
:root{{{_variables(_DAY)}}}
.body--dark{{{_variables(_NIGHT)};--q-primary:{_NIGHT["accent"]}!important}}
{_steps(False)}{_steps(True)}
body,.body--dark{{background:var(--u-back)!important;color:var(--u-ink);font:16px/1.5 system-ui,sans-serif}}
.nicegui-content{{padding:0;gap:0;align-items:stretch}}
.u-head{{background:var(--u-brand);color:var(--u-on-brand);padding:8px 16px;display:flex;flex-wrap:wrap;gap:8px 12px;
  align-items:center;width:100%}}
.u-head h1{{font-size:1.15rem;font-weight:700;line-height:1.2;margin:0 8px 0 0;letter-spacing:.01em}}
.u-button{{min-height:38px;padding:4px 12px;border:1px solid var(--u-accent);border-radius:6px;color:var(--u-accent);
  background:var(--u-paper)}}
.u-button.u-first{{background:var(--u-brand);border-color:var(--u-brand);color:var(--u-on-brand)}}
.u-button.u-quiet{{border-color:transparent;background:transparent}}
.u-head .u-button{{color:var(--u-on-brand);border-color:transparent;background:transparent}}
.u-fold .q-item{{padding:4px 0}} .u-fold .q-expansion-item__content{{padding:6px 0}}
.u-grow{{flex:1 1 auto}}
.u-nav{{display:none;position:sticky;top:0;z-index:5;background:var(--u-paper);border-bottom:1px solid var(--u-rim);
  padding:4px 12px;gap:4px;width:100%;overflow-x:auto}}
.u-nav a{{padding:8px 7px;font-size:.9rem;color:var(--u-ink);font-weight:600;text-decoration:none;white-space:nowrap}}
.u-main{{display:grid;grid-template-columns:minmax(0,1.15fr) minmax(0,1.1fr) minmax(0,.95fr);gap:14px;padding:14px;
  width:100%;align-items:start}}
.u-pane{{background:var(--u-paper);border:1px solid var(--u-rim);border-radius:10px;padding:14px;min-width:0;
  display:flex;flex-direction:column;gap:10px;scroll-margin-top:52px}}
.u-pane h2{{font-size:1.05rem;font-weight:700;margin:0;line-height:1.3}}
.u-pane h3{{font-size:.95rem;font-weight:650;margin:6px 0 0;line-height:1.3}}
.u-soft{{color:var(--u-quiet);font-size:.875rem}}
.u-row{{display:flex;flex-wrap:wrap;gap:8px;align-items:center;width:100%}}
.u-list{{display:flex;flex-direction:column;gap:8px;margin:0;padding:0;list-style:none;width:100%}}
.u-item{{border-left:3px solid var(--u-rim);padding:6px 10px;background:var(--u-row);border-radius:0 6px 6px 0;
  overflow-wrap:anywhere}}
.u-item.error{{border-color:var(--u-bad);background:var(--u-bad-back)}}
.u-item.warning{{border-color:var(--u-warn);background:var(--u-warn-back)}}
.u-tag{{font-weight:700;margin-right:6px}}
.error>.u-tag,.u-bad{{color:var(--u-bad)}} .warning>.u-tag{{color:var(--u-warn)}} .u-good{{color:var(--u-good)}}
.u-banner{{background:var(--u-warn-back);border:1px solid var(--u-warn);border-radius:8px;padding:10px 12px;
  width:100%}}
.u-code,.u-trace{{font:.8125rem/1.45 ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;white-space:pre-wrap;
  overflow-wrap:anywhere}}
.u-code{{background:var(--u-row);border-radius:6px;padding:8px 10px;width:100%}}
.cm-editor{{background:var(--u-paper)!important;color:var(--u-word)!important;border:1px solid var(--u-rim);
  border-radius:8px;font-size:.875rem;height:100%}}
.cm-editor.cm-focused{{outline:2px solid var(--u-focus)!important;outline-offset:1px}}
.nicegui-codemirror{{width:100%;height:62vh;min-height:260px}}
.cm-scroller{{font-family:ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace!important}}
.cm-gutters{{background:var(--u-row)!important;color:var(--u-quiet)!important;border:0!important}}
.cm-activeLine,.cm-activeLineGutter{{background:color-mix(in srgb,var(--u-focus) 9%,transparent)!important}}
.cm-cursor{{border-left-color:var(--u-ink)!important}}
.cm-selectionBackground{{background:color-mix(in srgb,var(--u-focus) 30%,transparent)!important}}
.cm-tooltip{{background:var(--u-paper)!important;color:var(--u-ink)!important;border:1px solid var(--u-rim)!important;
  max-width:min(60ch,90vw);padding:6px 10px;font:.875rem/1.4 system-ui,sans-serif}}
.cm-tooltip-autocomplete{{max-width:min(80ch,94vw)!important;padding:2px!important}}
.cm-tooltip-autocomplete>ul{{font:.875rem/1.5 ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace!important;
  max-height:14em!important;max-width:90vw!important}}
.cm-tooltip-autocomplete>ul>li{{padding:3px 8px!important;border-radius:4px}}
.cm-tooltip-autocomplete>ul>li[aria-selected]{{background:var(--u-brand)!important;color:var(--u-on-brand)!important}}
.cm-completionIcon{{display:none}}
.cm-completionDetail{{font-style:normal!important;font-family:system-ui,sans-serif;color:var(--u-quiet)}}
[aria-selected]>.cm-completionDetail{{color:var(--u-on-brand)}}
.u-clause{{color:var(--u-quiet);font-size:.75rem;white-space:pre}}
.u-key{{color:var(--u-key)}} .u-number{{color:var(--u-number)}} .u-note{{color:var(--u-note);font-style:italic}}
.u-cite{{color:var(--u-cite)}} .u-title{{color:var(--u-head);font-weight:700}}
.u-wrong{{text-decoration:underline wavy var(--u-bad) 1.5px;text-underline-offset:3px;background:var(--u-bad-back)}}
.u-odd{{text-decoration:underline wavy var(--u-warn) 1.5px;text-underline-offset:3px}}
.u-style{{text-decoration:underline dotted var(--u-quiet) 1.5px;text-underline-offset:3px}}
table.u-table{{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}}
.u-caption,.u-table caption{{text-align:left;overflow-wrap:anywhere;font-weight:650;padding:4px 0;color:var(--u-ink)}}
.u-caption{{font-size:.875rem}}
.u-table th,.u-table td{{padding:3px 8px 3px 0;text-align:left;vertical-align:middle;font-weight:400}}
.u-table thead th{{color:var(--u-quiet);font-weight:600}}
.u-table th[scope=row]{{white-space:nowrap;font-weight:600;max-width:14ch;overflow:hidden;text-overflow:ellipsis}}
.u-table td.u-exact{{overflow-wrap:anywhere;color:var(--u-quiet)}}
.u-bars{{width:100%;min-width:84px}}
.u-track{{height:.7rem;border-radius:3px;background:var(--u-row);overflow:hidden;margin:2px 0}}
.u-fill{{height:100%;border-radius:3px;background:var(--u-before);min-width:1px}}
.u-fill.s1{{background:var(--u-after)}}
.u-number-cell{{white-space:nowrap;text-align:right!important}}
.u-key-box{{display:inline-block;width:.8rem;height:.8rem;border-radius:3px;margin-right:6px;
  background:var(--u-before);vertical-align:-1px}}
.u-key-box.s1{{background:var(--u-after)}}
.u-heat thead th{{text-align:center;padding:3px 4px}}
.u-heat td{{text-align:center!important;padding:6px 4px!important;border:1px solid var(--u-paper)}}
.u-scroll{{overflow-x:auto;width:100%}}
.u-trace{{display:flex;flex-direction:column;gap:1px;width:100%}}
.u-trace .u-line{{display:flex;gap:8px;align-items:baseline;flex-wrap:wrap}}
.u-line .u-said{{flex:1 1 22ch;min-width:0}}
.k-throw{{color:var(--u-number);font-weight:600}} .k-effect,.k-tell{{color:var(--u-key)}} .k-off{{color:var(--u-quiet)}}
.k-call,.k-head{{font-weight:700}} .k-choice{{color:var(--u-cite)}}
.u-jump{{background:none;border:0;padding:0 2px;color:var(--u-quiet);font:inherit;font-size:.75rem;
  text-decoration:underline;cursor:pointer}}
.u-menus{{display:grid;grid-template-columns:repeat(auto-fill,minmax(140px,1fr));gap:6px 10px;width:100%}}
.u-verdict{{font-weight:650}}
.q-btn{{text-transform:none}}
:focus-visible{{outline:2px solid var(--u-focus)!important;outline-offset:2px}}
@media (max-width:1100px){{
  .u-main{{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}} .u-pane.u-wide{{grid-column:1/-1}}
}}
@media (max-width:760px){{
  .u-main{{grid-template-columns:minmax(0,1fr);padding:10px;gap:10px}} .u-nav{{display:flex}}
  .u-keys{{display:none}} .nicegui-codemirror{{height:52vh}} .cm-editor{{font-size:.8125rem}}
  .u-table thead th{{white-space:normal!important;vertical-align:bottom}} .u-table thead .u-number-cell{{min-width:9ch}}
  .u-table:has(.u-exact) :is(.u-bars,thead th[aria-hidden]){{display:none}}
  .u-head .u-button .q-btn__content>span{{display:none}}
  .u-head .q-field{{flex:1 1 100%;order:9}}
}}
@media (prefers-reduced-motion:reduce){{*{{transition:none!important;animation:none!important}}}}
"""

_LINE = re.compile(
    r"(?P<note>(?:^|(?<=\s))#.*)"
    r"|(?P<title>^[A-Z][^:#\n]*:(?=\s|$))"
    r"|(?P<key>^[ ]*(?:- )?[^\s#][^:#\n]*?:(?=\s|$))"
    r"|(?P<cite>\[[\w, .-]+\])"
    r"|(?P<number>(?<![\w.-])\d+(?:[./]\d+)?(?:\"|\+(?!\w))?(?![\w-]))",
    re.MULTILINE,
)


def coloured(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, class) of headings, keys, numbers, citations, comments."""
    for found in _LINE.finditer(text[:LONGEST]):
        kind = found.lastgroup
        assert kind is not None
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        yield start, found.end(), f"u-{kind}"
