"""The frame of every HTML file: it loads no external resources, enforced by a content security policy.

Takes a title, a style and a body of HTML. Gives the text of the page. Knows nothing of its content.
"""

from __future__ import annotations

from html import escape


def framed(title: str, style: str, body: str) -> str:
    """A whole page; the title is escaped here, the body is not."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{body}</body>
</html>
"""
