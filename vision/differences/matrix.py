"""The verdicts of an audit as a matrix: CSV for programs, one HTML page for people."""

import csv
import html
import io
from collections.abc import Mapping, Sequence

from vision.differences.many import Verdict

LARGEST_MATRIX = 80  # ids up to which the page shows the matrix itself
STYLE = """:root{color-scheme:light dark;--ink:#222;--ground:#fff;--line:#d5d5d5;--off:#fbd5d2;--unsure:#fdf0c0}
@media(prefers-color-scheme:dark){:root{--ink:#eee;--ground:#191a1c;--line:#45474b;--off:#6b1f1b;--unsure:#54470f}}
body{font:15px/1.5 system-ui,sans-serif;margin:0;padding:1rem;color:var(--ink);background:var(--ground)}
h1{font-size:1.4rem;line-height:1.25}
.wide{overflow-x:auto;margin-bottom:1.5rem}table{border-collapse:collapse}
td,th{padding:.15rem .5rem;border:1px solid var(--line);text-align:center}.off{background:var(--off);font-weight:bold}
.unsure{background:var(--unsure)}.why{text-align:left;min-width:12rem}.name,th[scope=row]{text-align:left}
.id{display:inline-block;max-width:min(16rem,40vw);overflow-wrap:break-word}th .id{max-width:9rem}"""

Expected = Mapping[tuple[str, str], int]


def as_table(verdicts: Sequence[Verdict]) -> str:
    """The matrix of counts as CSV; what could not be compared stays empty."""
    ids, counts = _counts(verdicts)
    out = io.StringIO()
    w = csv.writer(out, lineterminator="\n")
    w.writerow(["", *ids])
    for p in ids:
        w.writerow([p, *("0" if p == q else "" if (c := counts.get((p, q))) is None else c for q in ids)])
    return out.getvalue()


def as_page(verdicts: Sequence[Verdict], expected: Expected) -> str:
    """One self-contained page: the worst pairs first, then the matrix."""
    worst = sorted(verdicts, key=lambda v: _badness(v, expected), reverse=True)
    rows = "".join(
        f'<tr class="{_look(v, expected)}"><td class="name">{_id(v.a)}</td><td class="name">{_id(v.b)}</td>'
        f"<td>{_shown(v)}</td><td>{expected.get((v.a, v.b), '')}</td><td>{v.probability:.0%}</td>"
        f"<td>{'–'.join(map(str, v.range)) if v.range else ''}</td>"
        f'<td class="why">{html.escape(v.error or "")}</td></tr>'
        for v in worst
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("A", "B", "count", "expected", "sure", "range", "why not"))
    ids, _ = _counts(verdicts)
    by_pair = {(v.a, v.b): v for v in verdicts} | {(v.b, v.a): v for v in verdicts}
    grid = ""
    if 2 < len(ids) <= LARGEST_MATRIX:
        head = "".join(f'<th scope="col">{_id(q)}</th>' for q in ids)
        body = "".join(
            f'<tr><th scope="row">{_id(p)}</th>{"".join(_cell(by_pair.get((p, q)), expected) for q in ids)}</tr>' for p in ids
        )
        grid = f'<h2>Matrix</h2><div class="wide" tabindex="0"><table><tr><td></td>{head}</tr>{body}</table></div>'
    off = sum(_look(v, expected) == "off" for v in verdicts)
    title = f"{len(verdicts)} pairs, {off} not as expected or not compared"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1><h2>Worst first</h2>"
        f'<div class="wide" tabindex="0"><table><tr>{heads}</tr>{rows}</table></div>{grid}</main></body></html>\n'
    )


def _counts(verdicts: Sequence[Verdict]) -> tuple[list[str], dict[tuple[str, str], int | None]]:
    ids = list(dict.fromkeys(name for v in verdicts for name in (v.a, v.b) if name))
    counts = {(v.a, v.b): v.count for v in verdicts}
    return ids, counts | {(b, a): c for (a, b), c in counts.items()}


def _look(v: Verdict, expected: Expected) -> str:
    want = expected.get((v.a, v.b))
    if v.count is None or (want is not None and want != v.count):
        return "off"
    return "unsure" if v.probability < 0.9 else ""


def _badness(v: Verdict, expected: Expected) -> float:
    return {"off": 2.0, "unsure": 1.0, "": 0.0}[_look(v, expected)] + 1 - v.probability


def _cell(v: Verdict | None, expected: Expected) -> str:
    if v is None:
        return "<td>·</td>"
    title = f"{html.escape(v.a)} / {html.escape(v.b)}: {v.probability:.0%}"
    return f'<td class="{_look(v, expected)}" title="{title}">{_shown(v)}</td>'


def _id(name: str) -> str:
    """A name that takes as much room as it needs, and of a long one no more than a column may have."""
    return f'<span class="id">{html.escape(name)}</span>'


def _shown(v: Verdict) -> str:
    return "–" if v.count is None else str(v.count)
