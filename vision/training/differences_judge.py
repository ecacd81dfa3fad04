"""Fits how the places that the map marks are judged: the odds of one place, of one among others, how many are missed, how sure a count is.

    python -m vision.training.differences_judge --sources SOURCES --cache CACHE --pairs 2300

On pairs drawn from sources that neither the map nor the patches' network was trained on; CACHE as `differences_measure` has it. All but the
odds of one place is fitted on what judges of the other pairs say. Needs torch and onnx. What ships was fitted on these 2300 pairs.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import torch

from vision.differences.judge import (
    CERTAIN,
    MODEL,
    PLACES,
    Judged,
    Model,
    company_cues,
    counted,
    features,
    in_company,
    missing_cues,
    rows_of,
    sure_cues,
    with_odds,
)
from vision.training.differences_measure import Looked, asked, is_right, matched, tally, tell
from vision.training.differences_places import PlaceJudge, export, fit_places, odds_of
from vision.training.regression import logistic, poisson

MOST_OF_A_PAIR = 3.0  # places: a restless pair has no more say
DOUBTED = 0.02  # the probability of a place that others can make likely
PARTS = 4  # of the pairs, one after the other judged by a model of the others


Alone = tuple[Looked, list[Judged]]  # a pair and its places, each judged by itself by a judge that has not seen them


def judged(looked: Looked, judge: PlaceJudge) -> list[Judged]:
    """The places of a pair with their probabilities, each by itself."""
    if not looked.spots:
        return []
    return with_odds(looked.spots, odds_of(judge, rows_of(looked.spots, looked.rings, looked.look)))


def fit_judge(seen: list[Looked]) -> PlaceJudge:
    """The place judge, fitted on these pairs."""
    rows, y, weight = [], [], []
    for looked in seen:
        labels, _ = matched(looked, [s.candidate for s in looked.spots])
        first = {id(s.ring): k for k, s in reversed(list(enumerate(looked.spots))) if s.ring is not None}  # likeliest of a ring
        told = [k for k, s in enumerate(looked.spots) if labels[k] is not None and (s.ring is None or first[id(s.ring)] == k)]
        if told:
            rows.append(rows_of(looked.spots, looked.rings, looked.look)[told])
            y += [labels[k] for k in told]
            weight += [min(1.0, MOST_OF_A_PAIR / len(told))] * len(told)
    print(f"{len(y)} places, {sum(y)} right, on {len(seen)} pairs")  # type: ignore[arg-type]
    return fit_places(np.concatenate(rows), np.array(y, float), np.array(weight))


def by_others(seen: list[Looked]) -> list[Alone]:
    """Each pair as judges that were fitted on the other parts of the pairs judge it."""
    out = []
    for k in range(PARTS):
        judge = fit_judge([looked for n, looked in enumerate(seen) if n % PARTS != k])
        out += [(looked, judged(looked, judge)) for looked in seen[k::PARTS]]
    return out


def fit_company(pairs: list[Alone]) -> dict[str, float]:
    """What other places make of one."""
    rows, right = [], []
    for looked, places in pairs:
        labels, _ = matched(looked, [p.candidate for p in places])
        for cues, label, p in zip(company_cues(places), labels, places, strict=True):
            if label is not None and DOUBTED < p.probability < CERTAIN:
                rows.append(cues)
                right.append(label)
    return _logistic(rows, right)


def fit_missed(pairs: list[Alone], model: Model) -> dict[str, float]:
    """How many differences no place tells of."""
    cues, misses = [], []
    for looked, places in pairs:
        _, taken = matched(looked, [p.candidate for p in places])
        cues.append(missing_cues(in_company(places, model=model), looked.rings, looked.look))
        misses.append(sum(not t and not d.hidden for t, d in zip(taken, looked.truth, strict=True)))
    names = list(cues[0])
    weights = poisson(np.array([[c[name] for name in names] for c in cues]), np.array(misses, float))
    return dict(zip(names, map(float, weights), strict=True))


def fit_sure(pairs: list[Alone], model: Model) -> dict[str, float]:
    """How sure a count is, of pairs that their judges have not seen."""
    rows, right = [], []
    for looked, by_themselves in pairs:
        places = in_company(by_themselves, model=model)
        shown, spread = counted(places, looked.rings, looked.look, model=model)
        rows.append(sure_cues(places, looked.rings, spread[len(shown)], looked.look))
        right.append(is_right(looked, len(shown)))
    return _logistic(rows, right)


def _logistic(rows: list[dict[str, float]], right: Sequence[float]) -> dict[str, float]:
    names = list(rows[0])
    weights = logistic(np.array([[row[name] for name in names] for row in rows]), np.array(right, float), np.ones(len(rows)), ridge=0.1)
    return dict(zip(names, map(float, weights), strict=True))


def main() -> None:
    ask, pairs = asked(__doc__ or "", "judge")
    ask.add_argument("--model", type=Path, default=MODEL)
    ask.add_argument("--places", type=Path, default=PLACES)
    given = ask.parse_args()
    seen = pairs(given)
    if not seen or given.first:
        return
    judged_by_others = by_others(seen)
    names = tuple(next(features(looked.spots[0], (), looked.look, 1) for looked in seen if looked.spots))
    model = Model(names, fit_company(judged_by_others), {}, {})
    model = msgspec.structs.replace(model, missed=fit_missed(judged_by_others, model))
    model = msgspec.structs.replace(model, sure=fit_sure(judged_by_others, model))
    export(fit_judge(seen), torch.zeros(2, len(names)), given.places)
    given.model.write_bytes(msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n")
    tell(tally(seen, model))


if __name__ == "__main__":
    main()
