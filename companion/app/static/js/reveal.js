// The reveal: the places light up one after another in step with the voice, the count stands large, the tokens fly to their players.
// Then the photos can be looked at closely, and the count be mended.
//
// state.reveal: {of, pair, ruling, phase, shown, view, missed}. `of`: the line `photos-turned`, null where nothing was seen.
// Phases: counting, places, count, tokens, after.

import { h } from "./dom.js";
import { inWords, t } from "./words.js";
import { disc, seatColour } from "./score.js";
import { looking, print } from "./pair.js";
import { question } from "./question.js";

const STEP_MS = 500; // a place
const COUNT_MS = 1400;
const FLIGHT_MS = 800;
const BETWEEN_MS = 350; // from one token's start to the next one's

export const FIRST_VIEW = { mode: "sides", flip: false, slide: 50, picked: null };

/** Shows `ruling` (a round's score) step by step. Whatever replaces or closes the reveal in the store ends it. */
export async function play(store, voice, ruling) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const on = () => store.state.reveal?.ruling === ruling && store.state.reveal.phase !== "after";
  const set = (change) => store.set((state) => ({ reveal: { ...state.reveal, ...change } }));
  const say = () => voice.over(ruling.say ?? ruling.text, { id: ruling.of });
  const places = store.state.reveal.pair?.places ?? [];
  if (still) {
    set({ phase: "after", shown: places.length });
    await say();
    return;
  }
  set({ phase: "places", shown: 0 });
  for (let n = 1; n <= places.length; n++) {
    set({ shown: n });
    await Promise.all([pause(STEP_MS), Promise.race([voice.over(inWords(n), { rate: 1.15 }), pause(2 * STEP_MS)])]);
    if (!on()) return;
  }
  set({ phase: "count" });
  say();
  await pause(COUNT_MS);
  if (!on()) return;
  set({ phase: "tokens" });
  await pause(FLIGHT_MS + BETWEEN_MS * ruling.points.length + 400);
  if (on()) set({ phase: "after" });
}

/** To its end at once; the sentence is still said. */
export function skip(store, voice) {
  const { reveal } = store.state;
  if (!reveal?.ruling || reveal.phase === "after") return;
  store.set({ reveal: { ...reveal, phase: "after", shown: Infinity } });
  voice.over(reveal.ruling.say ?? reveal.ruling.text, { id: reveal.ruling.of });
}

const pause = (ms) => new Promise((over) => setTimeout(over, ms));

export function reveal(state, act) {
  const { pair, ruling, phase } = state.reveal;
  const after = phase === "after";
  const asked = state.questions.some((q) => q.about === "differences-counted");
  const host = state.role === "host";
  return h(
    "dialog",
    {
      class: `reveal phase-${phase}${pair ? "" : " bare"}${after && host ? " looking" : ""}`,
      key: "reveal",
      "aria-label": t("reveal.title"),
      ref: (dialog) => dialog.showModal(),
      oncancel: (event) => {
        if (after || !ruling) return;
        event.preventDefault();
        act.skip();
      },
      onclose: () => act.close("reveal"),
      onclick: after ? null : act.skip,
    },
    h("div", { class: "reveal-head", key: "head" }, headline(state, act)),
    pair && h("div", { class: "reveal-photos", key: "photos" }, after && host ? afterwards(state, act) : bothSides(state)),
    asked && !ruling && question(state, act),
    ruling && players(state),
    after && host && pair && mending(state, act),
  );
}

function headline(state, act) {
  const { ruling, phase, pair } = state.reveal;
  const closer = h(
    "button",
    { class: phase === "after" ? "primary" : "outline", key: "done", onclick: () => act.close("reveal") },
    t("done"),
  );
  if (!ruling) return [h("h2", { key: "h" }, unsure(pair) ?? t("reveal.counting")), closer];
  const { count } = ruling.params;
  if (phase === "places") {
    return [
      h("h2", { class: "counter", key: "h", "aria-live": "off" }, state.reveal.shown || ""),
      h("p", { class: "soft", key: "p" }, unsure(pair) ?? t("reveal.skip")),
    ];
  }
  return [
    h(
      "h2",
      { class: "count", key: "count" },
      h("span", { class: "count-number" }, count),
      " ",
      h("span", { class: "count-word" }, word(count)),
    ),
    phase === "after" && h("p", { class: "reveal-text", key: "text" }, ruling.text),
    phase === "after" && closer,
  ];
}

/** "7 differences" without its number, which stands beside it in large. */
const word = (count) => t("reveal.count", { n: count }).replace(String(count), "").trim();

function unsure(pair) {
  const [low, high] = pair?.range ?? [0, 0];
  if (low !== high) return t("reveal.unsure", { low, high });
  return (pair?.probability ?? 1) < 0.9 ? t("reveal.unsure.one") : null;
}

function bothSides(state) {
  const { pair, ruling, shown } = state.reveal;
  const options = { shown: ruling ? shown : 0 };
  return h("div", { class: "sides" }, print(pair, "a", options), print(pair, "b", options));
}

function afterwards(state, act) {
  const { pair, view, missed, ruling } = state.reveal;
  return looking(pair, view, act.look, {
    notOne: () => act.recount(ruling.of, ruling.params.count - 1),
    tap: missed ? () => act.recount(ruling.of, ruling.params.count + 1) : null,
  });
}

function mending(state, act) {
  const { missed, ruling, pair } = state.reveal;
  return h(
    "div",
    { class: "actions mending", key: "mending" },
    pair.laid && whichCards(pair.laid, act),
    h("button", { class: "outline", "aria-pressed": String(missed), onclick: act.missed }, t("reveal.missed")),
    missed && h("span", { class: "soft" }, t("reveal.missed.where")),
    missed &&
      h("button", { class: "outline", onclick: () => act.recount(ruling.of, ruling.params.count + 1) }, t("reveal.missed.add")),
  );
}

/** Which photos lay there, each a button that says it was another one. */
function whichCards(laid, act) {
  const [a, b] = laid.event.photos;
  const other = (photo, at) =>
    h("button", { class: "outline", key: `card-${at}`, onclick: () => act.chooseCard(laid, at) }, t("cards.another", { photo }));
  return [h("span", { class: "soft", key: "laid" }, t("cards.laid", { a, b })), other(a, 0), other(b, 1)];
}

function players(state) {
  const { ruling, phase } = state.reveal;
  const { play } = state;
  const landed = phase === "tokens" || phase === "after";
  const names = play.position.players;
  const flights = ruling.points.map((row, i) => ({ ...row, i }));
  return h(
    "ol",
    { class: "reveal-players", key: "players", style: `--players: ${names.length}` },
    names.map((name) => {
      const marker = (state.reveal.markers ?? {})[name];
      const won = flights.filter((row) => row.player === name && row.for in { green: 1, yellow: 1, red: 1 });
      const points = won.reduce((sum, row) => sum + row.points, 0);
      return h(
        "li",
        { key: name, style: `--seat: ${seatColour(play, name)}`, class: landed && points ? "won" : "" },
        h("span", { class: "player-name" }, name),
        h("span", { class: `marker${marker ? "" : " none"}` }, marker ?? ""),
        h(
          "span",
          { class: "prize" },
          landed && won.map((row) => h("span", { key: row.for, ref: (dom) => fly(dom, row.i) }, disc(row.for))),
        ),
        h("span", { class: "gain" }, landed && points ? `+${points}` : ""),
      );
    }),
    !ruling.points.length && landed && h("li", { class: "nobody" }, t("reveal.nobody")),
  );
}

/** Lets a token fly from the count to where it lies. */
function fly(dom, order) {
  const from = document.querySelector(".count-number")?.getBoundingClientRect();
  if (!from || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const to = dom.getBoundingClientRect();
  const way = `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y + from.height / 2 - to.y - to.height / 2}px) scale(3)`;
  dom.animate(
    [
      { transform: way, opacity: 0 },
      { transform: way, opacity: 1, offset: 0.15 },
      { transform: "none", opacity: 1 },
    ],
    {
      duration: FLIGHT_MS,
      delay: order * BETWEEN_MS,
      easing: "cubic-bezier(.3,.7,.3,1)",
      fill: "backwards",
    },
  );
}
