// Setting the table, as a conversation with the live picture: who plays, where each sits, how large it is. What is known is skipped.
//
// state.draft: {needs, step, names, angles, kind, size, corners, image, measured, error, rounds, edition}.
// `angles`: where each player sits, in degrees clockwise from the top of the picture; `corners`: four points of the picture.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";
import { inkOf } from "./score.js";
import { hasPicture, picture } from "./table.js";

const SIZES = { card: [85.6, 54], a4: [297, 210], own: [600, 400] };
const MOST = 10;

export function firstDraft(play, image = [16, 9]) {
  const names = play?.position?.players ?? play?.seats?.map((seat) => seat.name) ?? [];
  const needs = play?.setup?.needs ?? ["names"];
  const shown = names.length ? names : ["", ""];
  return {
    needs,
    step: needs[0] ?? "names",
    names: shown,
    angles: evenly(shown.length),
    kind: "card",
    size: SIZES.card,
    corners: square(image),
    image,
    measured: null,
    error: null,
    rounds: 10,
    edition: "italian",
  };
}

export const evenly = (n) => Array.from({ length: n }, (_, i) => Math.round((360 * i) / n + 180) % 360);

/** A rectangle in the middle of the picture, clockwise from its left top corner. */
export function square([w, h2]) {
  return [
    [0.35, 0.35],
    [0.65, 0.35],
    [0.65, 0.65],
    [0.35, 0.65],
  ].map(([x, y]) => [x * w, y * h2]);
}

/** What is still to be asked, in order. Without a picture only the names. */
export function steps(state) {
  const { needs } = state.draft;
  const wanted = ["names", "points", "seats"].filter((step) => needs.includes(step) && (step === "names" || hasPicture(state)));
  return wanted.length ? wanted : ["names"];
}

/** Why these names will not do, or null. */
export function namesTrouble(names) {
  const given = names.map((name) => name.trim()).filter(Boolean);
  if (given.length < 2) return t("setup.names.few");
  return new Set(given).size < given.length ? t("setup.names.twice") : null;
}

/** The part of the picture before each player: a sector from a middle oval to the edge, in pixels. */
export function areas(angles, [w, h2]) {
  const order = angles.map((angle, i) => ({ angle, i })).sort((a, b) => a.angle - b.angle);
  const out = [];
  order.forEach(({ angle, i }, at) => {
    const before = order[(at + order.length - 1) % order.length].angle;
    const after = order[(at + 1) % order.length].angle;
    const gap = (from, to) => (order.length === 1 ? 360 : (to - from + 360) % 360 || 360);
    const from = angle - Math.min(60, gap(before, angle) / 2);
    const to = angle + Math.min(60, gap(angle, after) / 2);
    const along = Array.from({ length: 9 }, (_, k) => from + ((to - from) * k) / 8);
    const inner = along.map((a) => towards(a, 0.5, [w, h2])).reverse();
    out[i] = [...along.map((a) => towards(a, 1, [w, h2])), ...inner];
  });
  return out;
}

/** The point at `part` of the way from the picture's middle to its edge, at an angle clockwise from its top. */
export function towards(degrees, part, [w, h2]) {
  const a = (degrees * Math.PI) / 180;
  const [dx, dy] = [Math.sin(a), -Math.cos(a)];
  const reach = Math.min(Math.abs(w / 2 / (dx || 1e-9)), Math.abs(h2 / 2 / (dy || 1e-9)));
  return [w / 2 + dx * reach * part, h2 / 2 + dy * reach * part].map((v) => Math.round(v * 10) / 10);
}

/** The step that is asked now. */
export function stepNow(state) {
  const all = steps(state);
  return all.includes(state.draft.step) ? state.draft.step : all[0];
}

export function setup(state, act) {
  const { draft } = state;
  const step = stepNow(state);
  return h(
    "section",
    { class: "setup paper", key: "setup", "aria-label": t("setup.title") },
    h(
      "ol",
      { class: "progress", "aria-hidden": "true" },
      steps(state).map((name) => h("li", { class: name === step ? "now" : "" })),
    ),
    draft.error && h("p", { class: "error", role: "alert" }, draft.error),
    step === "names" && names(state, act),
    step === "seats" && seats(state, act),
    step === "points" && points(state, act),
  );
}

const next = (state, act, last) =>
  h("button", { class: "primary", key: "next", onclick: act.nextStep }, t(last ? "setup.start" : "setup.next"));

function names(state, act) {
  const { draft } = state;
  const rename = (i) => (event) => act.draft({ names: draft.names.map((name, k) => (k === i ? event.target.value : name)) });
  const drop = (i) => () => act.draft({ names: draft.names.filter((_, k) => k !== i) });
  const last = steps(state).length === 1;
  return h(
    "form",
    {
      class: "setup-step",
      key: "names",
      onsubmit: (event) => {
        event.preventDefault();
        act.nextStep();
      },
    },
    h("p", { class: "large" }, t("setup.names")),
    h(
      "ol",
      { class: "names" },
      draft.names.map((name, i) =>
        h(
          "li",
          { style: `--seat: ${inkOf(i)}` },
          h("input", {
            value: name,
            maxlength: 40,
            "aria-label": t("setup.name", { n: i + 1 }),
            placeholder: t("setup.name", { n: i + 1 }),
            oninput: rename(i),
            autocomplete: "off",
          }),
          draft.names.length > 2 &&
            h(
              "button",
              {
                type: "button",
                class: "quiet",
                onclick: drop(i),
                "aria-label": t("setup.remove", { who: name || t("setup.name", { n: i + 1 }) }),
              },
              icon("minus"),
            ),
        ),
      ),
    ),
    draft.names.length < MOST &&
      h(
        "button",
        { type: "button", class: "plain", onclick: () => act.draft({ names: [...draft.names, ""] }) },
        icon("plus"),
        t("setup.add"),
      ),
    last && choices(draft, act),
    last && !hasPicture(state) && h("p", { class: "soft" }, t("setup.no-picture")),
    h("div", { class: "actions" }, h("button", { class: "primary" }, t(last ? "setup.start" : "setup.next"))),
  );
}

function choices(draft, act) {
  const editions = ["italian", "french", "cmon"];
  return h(
    "div",
    { class: "fields" },
    h(
      "label",
      null,
      t("setup.rounds"),
      h("input", {
        type: "number",
        min: 1,
        max: 10,
        value: draft.rounds,
        inputmode: "numeric",
        oninput: (event) => act.draft({ rounds: Number(event.target.value) }),
      }),
    ),
    h(
      "label",
      null,
      t("setup.edition"),
      h(
        "select",
        { onchange: (event) => act.draft({ edition: event.target.value }) },
        editions.map((name) => h("option", { value: name, selected: draft.edition === name }, t(`setup.edition.${name}`))),
      ),
    ),
  );
}

function onPicture(state, act, ...marks) {
  const { image } = state.draft;
  const measure = (img) =>
    img.decode().then(
      () => act.image([img.naturalWidth, img.naturalHeight]),
      () => {}, // a frame that cannot be decoded; the next one will be
    );
  return h(
    "figure",
    { class: "print setting" },
    picture(state, t("table.live"), measure),
    h("svg", { class: "drawn", viewBox: `0 0 ${image[0]} ${image[1]}` }, marks),
  );
}

/** A thing of the picture that can be dragged and moved with the arrow keys. `move([x, y])`, `nudge([dx, dy])` in steps. */
function handle({ key, at, words, now, unit, move, nudge, look }) {
  const to = (event) => {
    const box = event.currentTarget.ownerSVGElement.getBoundingClientRect();
    const view = event.currentTarget.ownerSVGElement.viewBox.baseVal;
    move([((event.clientX - box.x) / box.width) * view.width, ((event.clientY - box.y) / box.height) * view.height]);
  };
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  return h(
    "g",
    {
      key,
      class: "handle",
      tabindex: 0,
      role: "slider",
      "aria-label": words,
      "aria-valuenow": Math.round(now[0]),
      "aria-valuetext": now.map(Math.round).join(", "),
      transform: `translate(${at[0]} ${at[1]})`,
      onpointerdown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onpointermove: (event) => event.currentTarget.hasPointerCapture(event.pointerId) && to(event),
      onkeydown: (event) => {
        if (!keys[event.key]) return;
        event.preventDefault();
        nudge(keys[event.key].map((v) => v * (event.shiftKey ? 10 : 1)));
      },
    },
    h("circle", { class: "handle-reach", r: 4 * unit }),
    look,
  );
}

function seats(state, act) {
  const { draft } = state;
  const unit = draft.image[0] / 100;
  const turn = (i, degrees) => act.draft({ angles: draft.angles.map((a, k) => (k === i ? (degrees + 360) % 360 : a)) });
  const shown = areas(draft.angles, draft.image);
  return h(
    "div",
    { class: "setup-step", key: "seats" },
    h("p", { class: "large" }, t("setup.seats")),
    onPicture(
      state,
      act,
      shown.map((area, i) =>
        h("polygon", { class: "drawn-seat", points: area.map((p) => p.join(",")).join(" "), style: `--seat: ${inkOf(i)}` }),
      ),
      draft.names.map((name, i) =>
        handle({
          key: `seat${i}`,
          at: towards(draft.angles[i], 0.75, draft.image),
          words: t("setup.seat", { who: name }),
          now: [draft.angles[i]],
          unit,
          move: ([x, y]) => turn(i, (Math.atan2(x - draft.image[0] / 2, draft.image[1] / 2 - y) * 180) / Math.PI),
          nudge: ([dx, dy]) => turn(i, draft.angles[i] + 3 * (dx + dy)),
          look: [
            h("circle", { class: "handle-dot", r: 1.6 * unit, style: `--seat: ${inkOf(i)}` }),
            h("text", { class: "drawn-name", y: -2.6 * unit, "font-size": 3 * unit }, name),
          ],
        }),
      ),
    ),
    h("div", { class: "actions" }, next(state, act, steps(state).at(-1) === "seats")),
  );
}

function points(state, act) {
  const { draft } = state;
  const unit = draft.image[0] / 100;
  const put = (i, [x, y]) =>
    act.draft({
      corners: draft.corners.map((c, k) => (k === i ? [within(x, draft.image[0]), within(y, draft.image[1])] : c)),
      measured: null,
    });
  const side = (k) => (event) =>
    act.draft({ size: draft.size.map((v, i) => (i === k ? Number(event.target.value) : v)), kind: "own", measured: null });
  return h(
    "div",
    { class: "setup-step", key: "points" },
    h("p", { class: "large" }, t("setup.points")),
    h(
      "div",
      { class: "modes", role: "group" },
      Object.keys(SIZES).map((kind) =>
        h(
          "button",
          {
            class: "mode",
            "aria-pressed": String(draft.kind === kind),
            onclick: () => act.draft({ kind, size: SIZES[kind], measured: null }),
          },
          t(`setup.${kind}`),
        ),
      ),
    ),
    onPicture(
      state,
      act,
      h("polygon", { class: "drawn-photo", points: draft.corners.map((p) => p.join(",")).join(" ") }),
      draft.corners.map((corner, i) =>
        handle({
          key: `corner${i}`,
          at: corner,
          words: t("setup.corner", { n: i + 1 }),
          now: corner,
          unit,
          move: (to) => put(i, to),
          nudge: ([dx, dy]) => put(i, [corner[0] + dx * 0.1 * unit, corner[1] + dy * 0.1 * unit]),
          look: h("path", { class: "handle-cross", d: `M${-2 * unit} 0H${2 * unit}M0 ${-2 * unit}V${2 * unit}` }),
        }),
      ),
    ),
    h(
      "div",
      { class: "fields" },
      ["width", "height"].map((name, k) =>
        h(
          "label",
          null,
          t(`setup.${name}`),
          h("input", {
            type: "number",
            min: 10,
            max: 5000,
            step: "any",
            value: draft.size[k],
            inputmode: "decimal",
            oninput: side(k),
          }),
        ),
      ),
    ),
    draft.measured && h("p", { class: "soft", role: "status" }, t("setup.measured", { mm: draft.measured.error_mm })),
    h("div", { class: "actions" }, next(state, act, steps(state).at(-1) === "points")),
  );
}

const within = (v, most) => Math.round(10 * Math.min(most, Math.max(0, v))) / 10;
