// The one state object, and what each message of the server makes of it. No element, no socket, no clock in here.

/** What the page knows before the server has said a word. */
export const EMPTY = {
  role: "host",
  link: "connecting", // connecting, open, lost
  play: null, // the state document
  clockAt: 0, // when the clock in it came, in seconds of this page
  rulings: [], // all that were accepted or fouls, oldest first
  slip: null, // the ruling on show: its `of`
  questions: [],
  observation: null,
  sheet: null,
  panel: null, // {name, …}: what lies over the table
  reveal: null, // see reveal.js
  compare: null, // see compare.js
  draft: null, // see setup.js
  hand: false, // entry by hand is open
  pick: null, // the player who takes a marker, by hand
  table: true, // the table's picture is shown
  mute: false,
  voice: "ready", // ready, blocked, none
  welcomed: false, // "welcome back" has been read
  late: false, // the last player's time has run out
  notice: null, // why something could not be done
};

/** A store: `state`, `set(change)`, and `subscribe(fn)`; many changes in one go are one call. */
export function createStore(first) {
  let state = first;
  let waiting = false;
  const listeners = new Set();
  return {
    get state() {
      return state;
    },
    set(change) {
      state = { ...state, ...(typeof change === "function" ? change(state) : change) };
      if (waiting) return;
      waiting = true;
      queueMicrotask(() => {
        waiting = false;
        for (const listener of listeners) listener(state);
      });
    },
    subscribe(listener) {
      listeners.add(listener);
    },
  };
}

/** The state after a message of `WS /api/v1/live`. `at`: seconds of this page. */
export function received(state, message, at) {
  switch (message.type) {
    case "state":
      return {
        ...state,
        play: message,
        clockAt: at,
        late: false,
        questions: message.questions ?? [],
        rulings: message.seq < (state.rulings.at(-1)?.of ?? 0) ? [] : state.rulings, // another game
      };
    case "status": {
      if (!state.play) return state;
      const { type, clock, ...status } = message;
      const play = { ...state.play, status, clock: clock ?? state.play.clock };
      return { ...state, play, clockAt: clock ? at : state.clockAt };
    }
    case "ruling":
      return withRuling(state, message);
    case "question":
      return { ...state, questions: [...state.questions.filter((q) => q.question !== message.question), message] };
    case "observation":
      return { ...state, observation: message };
    default:
      return state; // a newer server may say more
  }
}

function withRuling(state, ruling) {
  if (ruling.ruling === "rejected" || state.rulings.some((known) => known.of === ruling.of)) return state;
  let { rulings } = state;
  if (ruling.key === "undone") {
    rulings = rulings.map((r) => (ruling.params.seqs.includes(r.of) ? { ...r, struck: "taken-back" } : r));
  }
  if (ruling.key === "corrected") {
    rulings = rulings.map((r) => (r.of === ruling.params.replaces ? { ...r, struck: "corrected" } : r));
  }
  return { ...state, rulings: [...rulings, ruling].sort((a, b) => a.of - b.of) };
}

/** Seconds left until the deadline, or null. With a camera the page runs at most a second ahead of the server's last word: the frames count. */
export function secondsLeft(state, at) {
  const clock = state.play?.clock;
  if (!clock || clock.deadline === null || clock.deadline === undefined) return null;
  const watched = !["none", "lost", "ended"].includes(state.play.status.source);
  const now = clock.now + Math.min(watched ? 1 : Infinity, Math.max(0, at - state.clockAt));
  return Math.max(0, clock.deadline - now);
}

/** The ruling of that line, or null. */
export const rulingOf = (state, of) => state.rulings.find((r) => r.of === of) ?? null;

/** The line `photos-turned` before the count `of`: its reveal has the pictures. Null without one. */
export function turnedBefore(state, of) {
  const before = state.rulings.filter((r) => r.of < of && r.key === "count-now" && r.struck !== "taken-back");
  return before.length ? before[before.length - 1].of : null;
}
