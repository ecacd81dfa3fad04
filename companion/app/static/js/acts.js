// What people can do on the page. Each act asks the server or changes the store; nothing else does.

import { report } from "./compare.js";
import { address, ask } from "./link.js";
import { withSize } from "./pair.js";
import { FIRST_VIEW, play as playReveal, skip } from "./reveal.js";
import { areas, evenly, firstDraft, namesTrouble, square, stepNow, steps } from "./setup.js";
import { rulingOf, turnedBefore } from "./store.js";

/** `arrived(ruling)`: what main does with a ruling, also with one that answers a request. */
export function createActs({ store, voice, remember, arrived, retry }) {
  const set = store.set;

  /** Does it, and shows in words why it could not be done. */
  async function attempt(doing) {
    try {
      return await doing();
    } catch (trouble) {
      set({ notice: trouble.message });
      return null;
    }
  }

  async function enter(event) {
    set({ panel: null, notice: null, pick: null });
    const ruling = await attempt(() => ask("POST", "/api/v1/events", { format: 1, by: "host", ...event }));
    if (ruling?.ruling === "rejected") set({ notice: ruling.text });
    else if (ruling) arrived({ type: "ruling", ...ruling });
  }

  /** The two photos of that line, or null where there is no picture. */
  async function pairOf(of) {
    if (of === null) return null;
    try {
      return await withSize(await ask("GET", address(`/api/v1/reveal/${of}`, store.state.role)));
    } catch {
      return null; // by hand, or not counted yet
    }
  }

  return {
    retry,
    enter,
    putAside: () => set({ slip: null }),
    noted: () => set({ notice: null }),
    welcomed: () => set({ welcomed: true }),
    pick: (name) => set({ pick: name }),
    undo: (to) => enter(Number.isInteger(to) ? { event: "undo", to } : { event: "undo" }),
    correct: (replaces, change) => enter({ event: "correct", replaces, with: change }),
    byHand: () => set({ hand: true }),

    toggle(name, wanted) {
      set((state) => {
        const value = wanted ?? !state[name];
        remember(name, value);
        if (name === "mute") voice.mute(value);
        return { [name]: value, panel: null };
      });
    },

    unblock() {
      set({ voice: "ready" });
      const last = store.state.rulings.at(-1);
      if (last) voice.over(last.say ?? last.text);
    },

    async open(name, more = {}) {
      set({ panel: { name, ...more }, slip: null });
      if (name === "sheet") await this.loadSheet();
      if (name === "why") await this.findPair(more.of);
      if (name === "compare") set({ compare: { busy: false, error: null, report: null, view: FIRST_VIEW } });
    },

    close(name) {
      set((state) => {
        if (name === "reveal") return { reveal: null };
        return state.panel?.name === name ? { panel: null } : {};
      });
    },

    async loadSheet() {
      const sheet = await attempt(() => ask("GET", address("/api/v1/sheet.json", store.state.role)));
      if (sheet) set({ sheet });
    },

    answer(question, choice) {
      set((state) => ({ questions: state.questions.filter((q) => q.question !== question.question) }));
      enter({ ...choice.event, by: "host", answers: question.question });
    },

    async later(question) {
      set((state) => ({ questions: state.questions.filter((q) => q.question !== question.question) }));
      await attempt(() => ask("POST", `/api/v1/questions/${question.question}/later`));
    },

    async language(code) {
      await attempt(() => ask("PUT", "/api/v1/setup", { language: code }));
    },

    // The reveal

    /** The photos are turned: shows them while they are counted, where there is a picture. */
    async turned(ruling) {
      const markers = { ...store.state.play.position.markers };
      const pair = await pairOf(ruling.of);
      if (pair && !store.state.reveal)
        set({
          reveal: { of: ruling.of, pair, ruling: null, phase: "counting", shown: 0, view: FIRST_VIEW, missed: false, markers },
          slip: null,
        });
    },

    async counted(ruling) {
      const of = turnedBefore(store.state, ruling.of);
      const pair =
        store.state.reveal?.of === of && store.state.reveal?.pair?.places.length ? store.state.reveal.pair : await pairOf(of);
      set({
        reveal: {
          of,
          pair,
          ruling,
          phase: "places",
          shown: 0,
          view: FIRST_VIEW,
          missed: false,
          markers: markersOf(store.state, ruling),
        },
        slip: null,
      });
      await playReveal(store, voice, ruling);
    },

    /** Why a count was ruled: where its pictures are kept, the places can be seen. */
    async findPair(of) {
      if (rulingOf(store.state, of)?.key !== "round-scored") return;
      const pair = await pairOf(turnedBefore(store.state, of));
      if (pair) set(({ panel }) => (panel?.name === "why" && panel.of === of ? { panel: { ...panel, pair } } : {}));
    },

    lookAgain(of, pair) {
      const ruling = rulingOf(store.state, of);
      const turned = turnedBefore(store.state, of);
      set({
        panel: null,
        reveal: {
          of: turned,
          pair,
          ruling,
          phase: "after",
          shown: Infinity,
          view: FIRST_VIEW,
          missed: false,
          markers: markersOf(store.state, ruling),
        },
      });
    },

    skip: () => skip(store, voice),
    look: (view) => set((state) => ({ reveal: { ...state.reveal, view: { ...state.reveal.view, ...view } } })),
    missed: () => set((state) => ({ reveal: { ...state.reveal, missed: !state.reveal.missed } })),
    recount(of, count) {
      set({ reveal: null });
      enter({ event: "correct", replaces: of, with: { event: "differences-counted", count } });
    },

    async chooseCard(laid, at) {
      const beside = encodeURIComponent(laid.event.photos[1 - at]);
      const all = await attempt(() => ask("GET", `/api/v1/cards?beside=${beside}`));
      if (all) set({ panel: { name: "cards", laid, at, all } });
    },

    /** It was another card: its name is put right, and the count where the deck has another one for the two. */
    async otherCard(laid, at, card) {
      const { ruling } = store.state.reveal;
      const photos = laid.event.photos.map((photo, n) => (n === at ? card.id : photo));
      set({ reveal: null });
      await enter({ event: "correct", replaces: laid.of, with: { ...laid.event, photos } });
      if (card.count !== ruling.params.count)
        await enter({ event: "correct", replaces: ruling.of, with: { event: "differences-counted", count: card.count } });
    },

    // Two pictures

    async compare(files) {
      set({ compare: { busy: true, error: null, report: null, view: FIRST_VIEW } });
      try {
        const found = await report(files);
        set((state) => ({ compare: { ...state.compare, busy: false, report: found } }));
      } catch (trouble) {
        set((state) => ({ compare: { ...state.compare, busy: false, error: trouble.message } }));
      }
    },
    lookCompared: (view) => set((state) => ({ compare: { ...state.compare, view: { ...state.compare.view, ...view } } })),

    // Setting the table

    measure: () =>
      set((state) => ({
        panel: null,
        draft: { ...firstDraft(state.play, state.observation?.image_size), needs: ["points", "seats"], step: "points" },
      })),
    draft: (change) => set((state) => ({ draft: { ...state.draft, ...change, error: null } })),

    image(size) {
      const { draft } = store.state;
      if (draft && (draft.image[0] !== size[0] || draft.image[1] !== size[1]))
        set({ draft: { ...draft, image: size, corners: square(size) } });
    },

    async nextStep() {
      const { state } = store;
      const { draft } = state;
      const step = stepNow(state);
      const names = draft.names.map((name) => name.trim()).filter(Boolean);
      const trouble = step === "names" && namesTrouble(names);
      if (trouble) return set({ draft: { ...draft, error: trouble } });
      try {
        const answer = await ask("PUT", "/api/v1/setup", asked(step, draft, names));
        const all = steps(state);
        const following = all[all.indexOf(step) + 1];
        if (following) {
          const angles = draft.angles.length === names.length ? draft.angles : evenly(names.length);
          return set({ draft: { ...store.state.draft, names, angles, step: following, error: null } });
        }
        set({ draft: { ...store.state.draft, measured: answer?.measured ?? null } });
        if (["idle", "over"].includes(store.state.play.position.state)) await begin(names, draft);
        set({ draft: null });
      } catch (problem) {
        set({ draft: { ...store.state.draft, error: problem.message } });
      }
      return undefined;
    },

    again: () =>
      attempt(() =>
        begin(store.state.play.position.players, {
          rounds: store.state.play.position.settings.rounds,
          edition: store.state.play.position.settings.edition,
        }),
      ),
  };

  async function begin(players, { rounds, edition }) {
    arrived({ type: "ruling", ...(await ask("POST", "/api/v1/games", { players, settings: { rounds, edition } })) });
  }
}

function asked(step, draft, players) {
  if (step === "names") return { players };
  if (step === "points") return { card: { corners_px: draft.corners, size_mm: draft.size } };
  const shown = areas(draft.angles, draft.image);
  return { unit: "px", seats: players.map((name, i) => ({ name, area: shown[i] })) };
}

/** Who held which marker when that round was counted: what has been said since its photos lay there. */
function markersOf(state, ruling) {
  const markers = {};
  for (const r of state.rulings) {
    if (r.of >= ruling.of) break;
    if (r.key === "round-begun" || r.key === "voided") for (const name of Object.keys(markers)) delete markers[name];
    if (r.event?.event === "marker-taken" && r.ruling === "accepted" && !r.struck) markers[r.params.player] = r.params.value;
  }
  return markers;
}
