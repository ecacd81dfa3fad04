// The voice: one line at a time, never two, none twice, nothing that is no longer true, and never more than a breath behind.
// Only voices of this machine are used: others would send the words away.

const PATIENCE_MS = 1500; // longer than this no newer line waits for an older one

/**
 * `synth`: speechSynthesis or a stand-in. `language()`: of the game. `changed("ready" | "blocked" | "none")`.
 * Of all the pages open in one browser just one speaks.
 */
export function createVoice({ synth, language, changed }) {
  let mine = !navigator.locks; // whether this page is the one that speaks
  let mute = false;
  let waiting = []; // {id, text, keep}
  let speaking = 0; // the number of the utterance under way, 0 for none
  let number = 0;
  let late = 0;
  const said = new Set();

  navigator.locks?.request("companion-voice", () => {
    mine = true;
    return new Promise(() => {}); // held until the page closes
  });

  const local = () => synth.getVoices().filter((v) => v.localService && v.lang.toLowerCase().startsWith(language()));
  const able = () => changed(local().length ? "ready" : "none");
  synth?.addEventListener?.("voiceschanged", able);

  function utter(text, { rate = 1 } = {}) {
    const voice = synth && local()[0];
    if (mute || !mine || !voice) return Promise.resolve();
    const me = ++number;
    speaking = me;
    return new Promise((over) => {
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.voice = voice;
      utterance.lang = voice.lang;
      utterance.rate = rate;
      const end = (event) => {
        if (event.error === "not-allowed") changed("blocked");
        if (speaking === me) speaking = 0;
        over();
      };
      utterance.onend = end;
      utterance.onerror = end;
      synth.speak(utterance);
    });
  }

  function hush() {
    speaking = 0;
    number += 1;
    synth?.cancel();
  }

  async function next() {
    if (speaking || !waiting.length) return;
    clearTimeout(late);
    const lines = waiting;
    waiting = [];
    lines.forEach((line) => said.add(line.id));
    await utter(lines.map((line) => line.text).join(" "));
    next();
  }

  return {
    able,

    /** Says `text` once. Of the lines that wait only the newest is said, and those to `keep`: fouls and questions. */
    say({ id, text, keep = false }) {
      if (!text || said.has(id) || waiting.some((line) => line.id === id)) return;
      waiting = [...waiting.filter((line) => line.keep), { id, text, keep }];
      clearTimeout(late);
      late = setTimeout(() => {
        hush();
        next();
      }, PATIENCE_MS);
      next();
    },

    /** Stops at once, and says this instead: what was being said is no longer true. */
    correct(line) {
      waiting = [];
      hush();
      this.say(line);
    },

    /** For the reveal: says a word over anything else; done when it is said. `id`: so that nobody says it again. */
    over(text, { id, rate } = {}) {
      if (id !== undefined) {
        if (said.has(id)) return Promise.resolve();
        said.add(id);
      }
      waiting = [];
      clearTimeout(late);
      if (speaking) hush();
      return utter(text, { rate });
    },

    /** Another game: its lines have the same numbers. */
    forget() {
      said.clear();
    },

    hush() {
      waiting = [];
      clearTimeout(late);
      hush();
    },

    mute(wanted) {
      mute = wanted;
      if (mute) this.hush();
    },
  };
}
