"""A reference sheet as a file: HTML for a browser and any printer, or PDF.

Takes a `ReferenceSheet`. Gives the text or the bytes of a self-contained file. The lines of house rules have a bar and
the word `house` in the margin, so that they are recognizable without colour. Texts of rule files are treated as data:
escaped in HTML, and read as JSON by the template of the PDF. The output is deterministic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape

from interpreter.surfaces.as_html import framed
from interpreter.workbench.reference_sheet import Block, ReferenceSheet

_STYLE = """
@page { size: A4; margin: 12mm 10mm }
:root { color-scheme: light dark; --ink: #1b1b1b; --soft: #5c5c5c; --line: #b9b9b9; --band: #f2f0ea; --house: #8a3b12 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --soft: #a9a9a9; --line: #4b4b4b; --band: #262522; --house: #f0a878; background: #161616 } }
@media print { :root { --ink: #000; --soft: #444; --line: #999; --band: #eee; --house: #000; background: #fff } }
body { color: var(--ink); font: 10pt/1.35 Georgia, "Liberation Serif", serif; margin: 1rem auto; max-width: 70rem;
  padding: 0 1rem }
h1 { font-size: 1.5em; margin: 0 } h1 + p { margin: .2em 0 1em } p { color: var(--soft); margin: .2em 0 }
main { columns: 21rem; column-gap: 2rem }
h2 { border-bottom: 2px solid var(--ink); break-after: avoid; font-size: 1.1em; margin: 1em 0 .4em }
section:first-child h2 { margin-top: 0 }
table { border-collapse: collapse; break-inside: avoid; margin: 0 0 .8em; min-width: 60% }
caption { font-weight: bold; text-align: left } caption small { color: var(--soft); font-weight: normal }
th, td { padding: .1em .5em .1em 0; text-align: left; vertical-align: top; overflow-wrap: anywhere }
thead th { border-bottom: 1px solid var(--line); color: var(--soft); font-weight: normal }
tbody th { font-weight: normal } .n.n { text-align: right; white-space: nowrap }
tbody tr:nth-child(odd) { background: var(--band) }
tr.homemade > :first-child, li.homemade { border-left: 4px solid var(--house); padding-left: .5em }
tr.homemade > td:last-child::after { content: " \\2190 house"; color: var(--house); font-size: .8em;
  white-space: nowrap }
pre { font: inherit; margin: 0; white-space: pre-wrap } ul { list-style: none; margin: 0; padding: 0 }
@media print { body { font-size: 8.5pt; margin: 0; max-width: none; padding: 0 } main { columns: 2 } }
"""


def html(sheet: ReferenceSheet) -> str:
    """The sheet as one self-contained page: two columns on paper, as many as fit on a screen."""
    body = f"""\
<header>
<h1>{escape(sheet.title)}</h1>
{f"<p>{escape(_marked(sheet))}</p>" if sheet.homemade else ""}
</header>
<main>
{"".join(_html(sheet))}</main>
"""
    return framed(sheet.title, _STYLE, body)


def _marked(sheet: ReferenceSheet) -> str:
    return f"Marked in the margin: the house rules of {', '.join(sheet.homemade)}."


def _html(sheet: ReferenceSheet) -> Iterator[str]:
    for section in sheet.sections:
        yield f"<section>\n<h2>{escape(section.heading)}</h2>\n"
        yield from map(_block, section.blocks)
        yield "</section>\n"
    if sheet.gone:
        yield "<section>\n<h2>Left out in this house</h2>\n<ul>\n"
        for path, was in sheet.gone:
            said = f"{path}: {was}" if was else path
            yield f'<li class="homemade"><s>{escape(said)}</s></li>\n'
        yield "</ul>\n</section>\n"


def _block(block: Block) -> str:
    clauses = f" <small>{escape(' '.join(block.clauses))}</small>" if block.clauses else ""
    head = ""
    right = numeric(block)
    if block.columns:
        cells = "".join(f'<th scope="col"{_side(right[i])}>{escape(c)}</th>' for i, c in enumerate(block.columns))
        head = f"<thead><tr>{cells}</tr></thead>\n"
    rows = "".join(
        f"<tr{' class=' + chr(34) + 'homemade' + chr(34) if row.homemade else ''}>"
        f'<th scope="row"><pre>{escape(row.cells[0])}</pre></th>'
        + "".join(f"<td{_side(right[i])}>{escape(cell)}</td>" for i, cell in enumerate(row.cells) if i)
        + "</tr>\n"
        for row in block.rows
    )
    return f"<table>\n<caption>{escape(block.title)}{clauses}</caption>\n{head}<tbody>\n{rows}</tbody>\n</table>\n"


def _side(right: bool) -> str:
    return ' class="n"' if right else ""


def numeric(block: Block) -> list[bool]:
    """For each column but the first, whether all its cells are numeric, so that it is right-aligned."""
    width = len(block.rows[0].cells)
    columns = ([row.cells[i] for row in block.rows if row.cells[i]] for i in range(width))
    return [i > 0 and bool(column) and all(_is_number(c) for c in column) for i, column in enumerate(columns)]


def _is_number(cell: str) -> bool:
    return " " not in cell and cell.lstrip("+-")[:1].isdigit()


# ---- PDF
_TEMPLATE = """
#let sheet = json(bytes(sys.inputs.sheet))
#set document(title: sheet.title, date: none)
#set page(paper: "a4", margin: (x: 12mm, y: 12mm), columns: 2, numbering: "1")
#set text(size: 8.5pt)
#set par(leading: 0.45em)
#let homemade(row, body) = if row.homemade { text(fill: rgb("#8a3b12"))[#sym.triangle.filled.r #body] } else { body }
#place(top, scope: "parent", float: true)[
  #text(size: 15pt, weight: "bold", sheet.title)
  #if sheet.marked != "" [ #linebreak() #text(fill: luma(35%), sheet.marked) ]
]
#for section in sheet.sections [
  #block(sticky: true, above: 1.2em, below: 0.6em, width: 100%, stroke: (bottom: 1pt), inset: (bottom: 2pt),
    text(size: 10.5pt, weight: "bold", section.heading))
  #for part in section.blocks [
    #block(breakable: part.rows.len() > 30, width: 100%, below: 1em)[
      #text(weight: "bold", part.title) #text(size: 7pt, fill: luma(35%), part.clauses)
      #v(-0.6em)
      #table(
        columns: part.right.slice(0, -1).map(r => auto) + (if part.right.last() { auto } else { 1fr },),
        align: part.right.map(r => if r { right } else { left }),
        stroke: none, inset: (x: 3pt, y: 2pt),
        fill: (x, y) => if calc.odd(y) { luma(94%) },
        ..if part.columns.len() > 0 { (table.header(..part.columns.map(c => text(fill: luma(35%), c))),) },
        ..part.rows.map(row => (homemade(row, row.cells.first()), ..row.cells.slice(1))).flatten(),
      )
    ]
  ]
]
#if sheet.gone.len() > 0 [
  #block(sticky: true, above: 1.2em, below: 0.6em, width: 100%, stroke: (bottom: 1pt), inset: (bottom: 2pt),
    text(size: 10.5pt, weight: "bold", "Left out in this house"))
  #for line in sheet.gone [ #text(fill: rgb("#8a3b12"), sym.triangle.filled.r) #strike(line) #linebreak() ]
]
"""


def pdf(sheet: ReferenceSheet) -> bytes:
    """The sheet as PDF, on A4 in two columns. Raises ImportError if typst (the extra `pdf`) is not installed."""
    import typst

    said = {
        "title": sheet.title,
        "marked": _marked(sheet) if sheet.homemade else "",
        "gone": [f"{path}: {was}" if was else path for path, was in sheet.gone],
        "sections": [
            {
                "heading": section.heading,
                "blocks": [
                    {
                        "title": block.title,
                        "clauses": " ".join(block.clauses),
                        "columns": block.columns,
                        "right": numeric(block),
                        "rows": [{"cells": row.cells, "homemade": row.homemade} for row in block.rows],
                    }
                    for block in section.blocks
                ],
            }
            for section in sheet.sections
        ],
    }
    made: bytes = typst.compile(_TEMPLATE.encode(), sys_inputs={"sheet": json.dumps(said)}, ignore_system_fonts=True)
    return made
