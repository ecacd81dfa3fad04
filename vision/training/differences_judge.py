"""Fits how the places that the map marks are judged: the odds of one place, how many are missed, and how sure a count is.

    python -m vision.training.differences_judge --sources SOURCES --cache CACHE --pairs 1400
    python -m vision.training.differences_judge --sources SOURCES --cache CACHE --first 1400 --pairs 2300 --sure

On pairs drawn from sources that the map was not trained on; CACHE as `differences_measure` has it. Needs torch and onnx. What ships
judges places, and reckons with missed ones, by 1400 such pairs and 2450 of the same seeds that commit 3124816 drew: with the former
alone it passed over differences on filmed tables. How sure a count is, was fitted on 900 further pairs, by the second command.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from vision.differences.judge import MODEL, PLACES, Judged, Model, counted, features, fitted, missing_cues, rows_of, sure_cues, with_odds
from vision.differences.judge import judged as shipped
from vision.training.differences_measure import Looked, asked, is_right, matched, tally, tell
from vision.training.differences_places import PlaceJudge, export, fit_places, odds_of
from vision.training.regression import logistic, poisson

MOST_OF_A_PAIR = 3.0  # places: a restless pair has no more say
PARTS = 4  # of the pairs, one after the other judged by a model of the others


def judged(looked: Looked, judge: PlaceJudge) -> list[Judged]:
    """The places of a pair with their probabilities."""
    if not looked.spots:
        return []
    return with_odds(looked.spots, odds_of(judge, rows_of(looked.spots, looked.rings, looked.look)))


def fit(seen: list[Looked]) -> tuple[PlaceJudge, Model]:
    """The place judge and the missed ones, fitted on these pairs; how sure a count is, is not known yet."""
    rows, y, weight = [], [], []
    for looked in seen:
        labels, _ = matched(looked, [s.candidate for s in looked.spots])
        first = {id(s.ring): k for k, s in reversed(list(enumerate(looked.spots))) if s.ring is not None}  # likeliest of a ring
        told = [k for k, s in enumerate(looked.spots) if labels[k] is not None and (s.ring is None or first[id(s.ring)] == k)]
        if told:
            rows.append(rows_of(looked.spots, looked.rings, looked.look)[told])
            y += [labels[k] for k in told]
            weight += [min(1.0, MOST_OF_A_PAIR / len(told))] * len(told)
    judge = fit_places(np.concatenate(rows), np.array(y, float), np.array(weight))
    missing, misses = [], []
    for looked in seen:
        places = judged(looked, judge)
        _, taken = matched(looked, [p.candidate for p in places])
        missing.append(missing_cues(places, looked.look))
        misses.append(sum(not t and not d.hidden for t, d in zip(taken, looked.truth, strict=True)))
    others = list(missing[0])
    miss = poisson(np.array([[m[k] for k in others] for m in missing]), np.array(misses, float))
    print(f"{len(y)} places, {sum(y)} right; {sum(misses)} differences never marked, on {len(seen)} pairs")  # type: ignore[arg-type]
    names = next(features(looked.spots[0], (), looked.look, 1) for looked in seen if looked.spots)
    return judge, Model(tuple(names), dict(zip(others, map(float, miss), strict=True)), {})


Counted = tuple[Looked, list[Judged], Model]  # a pair, its places judged, and the model that reckons with missed ones


def by_others(seen: list[Looked]) -> Iterator[Counted]:
    """Each pair as judges that were fitted on the other parts of the pairs judge it."""
    for k in range(PARTS):
        judge, model = fit([looked for n, looked in enumerate(seen) if n % PARTS != k])
        for looked in seen[k::PARTS]:
            yield looked, judged(looked, judge), model


def by_what_ships(seen: list[Looked]) -> Iterator[Counted]:
    """Each pair as the judge that ships judges it."""
    for looked in seen:
        yield looked, shipped(looked.spots, looked.rings, looked.look), fitted()


def fit_sure(pairs: Iterable[Counted]) -> dict[str, float]:
    """How sure a count is, of pairs that their judges have not seen."""
    rows, right = [], []
    for looked, places, model in pairs:
        shown, spread = counted(places, looked.look, model=model)
        rows.append(sure_cues(places, looked.rings, spread[len(shown)], looked.look))
        right.append(is_right(looked, len(shown)))
    names = list(rows[0])
    weights = logistic(np.array([[row[name] for name in names] for row in rows]), np.array(right, float), np.ones(len(rows)), ridge=0.1)
    return dict(zip(names, map(float, weights), strict=True))


def main() -> None:
    ask, pairs = asked(__doc__ or "", "judge")
    ask.add_argument("--model", type=Path, default=MODEL)
    ask.add_argument("--places", type=Path, default=PLACES)
    ask.add_argument("--sure", action="store_true", help="fit only how sure a count is, of pairs that the judge that ships has not seen")
    given = ask.parse_args()
    seen = pairs(given)
    if not seen or (given.first and not given.sure):
        return
    if given.sure:
        model = msgspec.structs.replace(fitted(), sure=fit_sure(by_what_ships(seen)))
    else:
        judge, model = fit(seen)
        model = msgspec.structs.replace(model, sure=fit_sure(by_others(seen)))
        export(judge, given.places)
    given.model.write_bytes(msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n")
    tell(tally(seen, model))


if __name__ == "__main__":
    main()
