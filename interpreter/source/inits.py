# ruff: noqa: E501, E702, E741
# fmt: off
# mypy: ignore-errors
"""`__init__` of so many fields, in which values.py puts other names. They are written out, because what is compiled while
Umpire starts is compiled at every start, and what stands in a file only once.

Enters: nothing. Leaves: the code of each, by the number of its fields. Knows nothing of whose fields they are.
"""

from __future__ import annotations

from types import CodeType


def _0(self): pass
def _1(self, a): self.a = a
def _2(self, a, b): self.a = a; self.b = b
def _3(self, a, b, c): self.a = a; self.b = b; self.c = c
def _4(self, a, b, c, d): self.a = a; self.b = b; self.c = c; self.d = d
def _5(self, a, b, c, d, e): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e
def _6(self, a, b, c, d, e, f): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f
def _7(self, a, b, c, d, e, f, g): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g
def _8(self, a, b, c, d, e, f, g, h): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h
def _9(self, a, b, c, d, e, f, g, h, i): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i
def _10(self, a, b, c, d, e, f, g, h, i, j): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j
def _11(self, a, b, c, d, e, f, g, h, i, j, k): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k
def _12(self, a, b, c, d, e, f, g, h, i, j, k, l): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l
def _13(self, a, b, c, d, e, f, g, h, i, j, k, l, m): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m
def _14(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n
def _15(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o
def _16(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p
def _17(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q
def _18(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r
def _19(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r; self.s = s
def _20(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r; self.s = s; self.t = t
def _21(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r; self.s = s; self.t = t; self.u = u
def _22(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r; self.s = s; self.t = t; self.u = u; self.v = v
def _23(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r; self.s = s; self.t = t; self.u = u; self.v = v; self.w = w
def _24(self, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f; self.g = g; self.h = h; self.i = i; self.j = j; self.k = k; self.l = l; self.m = m; self.n = n; self.o = o; self.p = p; self.q = q; self.r = r; self.s = s; self.t = t; self.u = u; self.v = v; self.w = w; self.x = x


BY_FIELDS: dict[int, CodeType] = {
    each.__code__.co_argcount - 1: each.__code__.replace(co_name="__init__", co_qualname="__init__")
    for name, each in [*globals().items()]
    if name[1:].isdigit()
}
