// Two pictures and the places where they differ: side by side, blinking, under a slider, and each place enlarged.
// Boxes are pixels of the pictures; `size` is what both measure.

import { h } from "./dom.js";
import { known, t } from "./words.js";

const MODES = ["sides", "blink", "slider", "places"];

/** Both pictures loaded, so that nothing jumps when they are shown: the document with its `size`. */
export async function withSize(pair) {
  const [a, b] = await Promise.all([pair.a, pair.b].map(load));
  return { ...pair, size: [a.naturalWidth, a.naturalHeight], sizeB: [b.naturalWidth, b.naturalHeight] };
}

async function load(src) {
  const img = new Image();
  img.src = src;
  await img.decode();
  return img;
}

/** One photo as a print. `shown`: how many of the places are lit; `pick`: called with a place, where places are buttons. */
export function print(pair, side, { shown = Infinity, pick = null, picked = null, tap = null } = {}) {
  const size = side === "b" ? (pair.sizeB ?? pair.size) : pair.size;
  return h(
    "figure",
    { class: `print photo${tap ? " asking" : ""}`, key: side, style: `--w: ${size[0]}; --h: ${size[1]}`, onclick: tap },
    h("img", { src: pair[side], alt: t(side === "a" ? "reveal.left" : "reveal.right"), width: size[0], height: size[1] }),
    pair.places.slice(0, shown).map((place) => mark(place, place[side], pick, picked)),
    side === "a" &&
      Number.isFinite(shown) === false &&
      (pair.unseen ?? []).map((hole) => h("span", { class: "mark unseen-place", style: box(hole.a), title: because(hole) })),
  );
}

const box = ([x, y, w, h]) => `--x: ${x}; --y: ${y}; --bw: ${w}; --bh: ${h}`;

function mark(place, where, pick, picked) {
  const inner = h("span", { class: "mark-number", "aria-hidden": "true" }, place.n);
  const look = { class: `mark${picked === place.n ? " picked" : ""}`, key: `m${place.n}`, style: box(where) };
  if (!pick) return h("span", look, inner);
  return h("button", { ...look, "aria-label": t("reveal.place", { n: place.n }), onclick: () => pick(place) }, inner);
}

const because = (hole) => t("reveal.unseen", { why: known(`unseen.${hole.why}`) ? t(`unseen.${hole.why}`) : hole.why });

/** The pictures with all their ways of looking. `view`: {mode, flip, slide, picked}; `change(view)`; `notOne(place)` where places may be denied. */
export function looking(pair, view, change, { notOne = null, tap = null } = {}) {
  const mode = tap ? "sides" : view.mode;
  const options = { pick: (place) => change({ mode: "places", picked: place.n }), picked: view.picked, tap };
  return [
    h(
      "div",
      { class: "modes", key: "modes", role: "group" },
      MODES.map((name) =>
        h(
          "button",
          { class: "mode", key: name, "aria-pressed": String(mode === name), onclick: () => change({ mode: name }) },
          t(`reveal.${name}`),
        ),
      ),
    ),
    mode === "sides" && h("div", { class: "sides", key: "sides" }, print(pair, "a", options), print(pair, "b", options)),
    mode === "blink" && blink(pair, view, change),
    mode === "slider" && slider(pair, view, change),
    mode === "places" && places(pair, view, notOne),
    (pair.unseen ?? []).length > 0 && h("p", { class: "soft", key: "unseen" }, because(pair.unseen[0])),
  ];
}

function blink(pair, view, change) {
  const flip = (on) => () => change({ flip: on });
  const space = (on) => (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    change({ flip: on });
  };
  return h(
    "div",
    { class: "one", key: "blink" },
    print(pair, view.flip ? "b" : "a", { shown: 0 }),
    h(
      "button",
      {
        class: "primary",
        onpointerdown: flip(true),
        onpointerup: flip(false),
        onpointerleave: flip(false),
        onpointercancel: flip(false),
        onkeydown: space(true),
        onkeyup: space(false),
        "aria-pressed": String(view.flip),
      },
      t("reveal.blink.hold"),
    ),
  );
}

function slider(pair, view, change) {
  return h(
    "div",
    { class: "one", key: "slider", style: `--cut: ${view.slide}%` },
    h("div", { class: "stack" }, print(pair, "a", { shown: 0 }), h("div", { class: "over" }, print(pair, "b", { shown: 0 }))),
    h("input", {
      type: "range",
      min: 0,
      max: 100,
      value: view.slide,
      "aria-label": t("reveal.slider.label"),
      oninput: (event) => change({ slide: Number(event.target.value) }),
    }),
  );
}

function places(pair, view, notOne) {
  return h(
    "ol",
    { class: "places", key: "places" },
    pair.places.map((place) =>
      h(
        "li",
        { key: `p${place.n}`, class: view.picked === place.n ? "picked" : "" },
        h("span", { class: "place-number" }, place.n),
        h("div", { class: "place-pair" }, enlarged(pair, "a", place), enlarged(pair, "b", place)),
        place.kind && h("span", { class: "place-kind" }, t(`kind.${place.kind}`)),
        notOne && h("button", { class: "plain", onclick: () => notOne(place) }, t("reveal.not-one")),
      ),
    ),
  );
}

function enlarged(pair, side, place) {
  const [w, hgt] = side === "b" ? (pair.sizeB ?? pair.size) : pair.size;
  const [x, y, bw, bh] = place[side];
  const cut = Math.min(w, hgt, Math.max(1.5 * bw, 1.5 * bh, 0.12 * w));
  const left = Math.min(w - cut, Math.max(0, x + bw / 2 - cut / 2));
  const top = Math.min(hgt - cut, Math.max(0, y + bh / 2 - cut / 2));
  const part = (at, whole) => (whole > cut ? (100 * at) / (whole - cut) : 0);
  const style = `background-image: url("${pair[side]}"); background-size: ${(100 * w) / cut}% ${(100 * hgt) / cut}%; background-position: ${part(left, w)}% ${part(top, hgt)}%`;
  return h("span", {
    class: "enlarged",
    role: "img",
    "aria-label": `${t(side === "a" ? "reveal.left" : "reveal.right")}, ${t("reveal.place", { n: place.n })}`,
    style,
  });
}
