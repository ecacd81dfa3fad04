// Puts the page together: the store, the line to the server, the voice, and what is drawn.

import { createActs } from "./acts.js";
import { patch } from "./dom.js";
import { drawRing } from "./due.js";
import { keepOpen } from "./link.js";
import { slipSeconds } from "./ruling.js";
import { firstDraft } from "./setup.js";
import { EMPTY, createStore, received, secondsLeft } from "./store.js";
import { page } from "./views.js";
import { createVoice } from "./voice.js";
import { speak, language, t } from "./words.js";

const role = location.pathname.startsWith("/show") ? "spectator" : "host";
const seconds = () => performance.now() / 1000;

const remembered = (name, otherwise) =>
  JSON.parse(localStorage.getItem(`companion.${role}.${name}`) ?? JSON.stringify(otherwise));
const remember = (name, value) => localStorage.setItem(`companion.${role}.${name}`, JSON.stringify(value));

await speak(navigator.language.slice(0, 2));
document.documentElement.dataset.role = role;

const store = createStore({
  ...EMPTY,
  role,
  mute: remembered("mute", false),
  table: remembered("table", true),
  hand: remembered("hand", false),
});
const voice = createVoice({
  synth: window.speechSynthesis,
  language: () => language,
  changed: (how) => store.set({ voice: how }),
});
voice.mute(store.state.mute);
voice.able();
const acts = createActs({ store, voice, remember, arrived, retry: () => again() });

/** A message of the server's, live. */
function arrived(message) {
  const before = store.state;
  store.set((state) => received(state, message, seconds()));
  if (message.type === "ruling" && store.state.rulings !== before.rulings) announce(message);
  if (message.type === "question" && role === "host")
    voice.say({ id: `q${message.question}`, text: message.text ?? t("question.title"), keep: true });
  if (message.type === "question" && message.about === "differences-counted")
    acts.turned({ of: store.state.rulings.findLast((r) => r.key === "count-now")?.of ?? null });
  if (message.type === "state") settle(message);
}

let slipTimer = 0;

/** Shows and says a ruling that has just been made. */
function announce(ruling) {
  document.getElementById("said").textContent = ruling.text;
  if (ruling.key === "started") voice.forget();
  if (ruling.key === "count-now") acts.turned(ruling);
  if (ruling.key === "round-begun" || ruling.key === "undone" || ruling.key === "corrected") store.set({ reveal: null });
  if (ruling.key === "round-scored") {
    acts.counted(ruling); // it says it itself, in step with the pictures
    return;
  }
  const line = { id: ruling.of, text: ruling.say, keep: ruling.ruling === "foul" };
  if (ruling.key === "undone" || ruling.key === "corrected") voice.correct(line);
  else voice.say(line);
  store.set({ slip: ruling.of });
  clearTimeout(slipTimer);
  if (!(store.state.role === "host" && ruling.params.action === "ask")) // what asks the host waits for an answer
    slipTimer = setTimeout(stepAside, 1000 * slipSeconds(ruling), ruling.of);
}

/** The slip goes by itself, unless somebody is just reading or using it. */
function stepAside(of) {
  if (store.state.slip !== of) return;
  if (document.querySelector(".slip:hover, .slip:focus-within")) slipTimer = setTimeout(stepAside, 1000, of);
  else store.set({ slip: null });
}

/** What a new state asks of the page itself: its language, the set-up, the sheet at the end. */
async function settle(play) {
  if (play.language !== language) {
    await speak(play.language);
    voice.able();
    store.set({});
  }
  const wanted = play.setup?.needs?.length > 0 || play.position.state === "idle";
  if (role === "host" && wanted && !store.state.draft)
    store.set({ draft: firstDraft(play, store.state.observation?.image_size) });
  if (play.position.state === "over") {
    if (store.state.sheet?.seq !== play.seq) {
      await acts.loadSheet();
      store.set((state) => ({ sheet: state.sheet && { ...state.sheet, seq: play.seq } }));
    }
  }
}

const again = keepOpen({
  role,
  since: () => store.state.rulings.at(-1)?.of ?? 0,
  received: arrived,
  missed: (rulings) =>
    store.set((state) => rulings.reduce((s, ruling) => received(s, { type: "ruling", ...ruling }, seconds()), state)),
  changed: (link) => store.set({ link }),
});

let drawing = 0;

function drawClock() {
  drawing = 0;
  const at = seconds();
  if (secondsLeft(store.state, at) === null) return;
  drawRing(store.state, at);
  if (secondsLeft(store.state, at) === 0 && !store.state.late) store.set({ late: true });
  drawing = requestAnimationFrame(drawClock);
}

store.subscribe((state) => {
  patch(document.getElementById("page"), [page(state, acts)].flat(Infinity).filter(Boolean));
  document.title = state.play ? `${state.play.due} – ${t("title")}` : t("title");
  drawing ||= requestAnimationFrame(drawClock);
});
store.set({});

// The first tap or key lets the browser speak.
addEventListener("pointerdown", () => store.state.voice === "blocked" && acts.unblock(), { once: true });

if (role === "host") {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    acts.open("compare");
    acts.compare(event.dataTransfer.files);
  });
}
