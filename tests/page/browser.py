"""How the browser is started, and the voice that stands in for the machine's: a headless browser has none."""

from typing import Any

CHROMIUM: dict[str, Any] = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
}

# Keeps a diary of what is said in `window.diary`: [text, started, ended or stopped] in milliseconds.
VOICE = """
window.diary = [];
let current = null;
const voices = ["en-GB", "fr-FR", "es-ES", "it-IT", "de-DE"].map((lang) => ({ name: `Stand-in ${lang}`, lang, localService: true }));
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => voices,
  addEventListener() {},
  get speaking() { return current !== null; },
  speak(line) {
    if (current) throw new Error("two voices at once");
    const entry = [line.text, performance.now(), null];
    window.diary.push(entry);
    const timer = setTimeout(() => { current = null; entry[2] = performance.now(); line.onend?.({}); }, window.wordsTake ?? 120);
    current = { line, timer, entry };
  },
  cancel() {
    if (!current) return;
    const { line, timer, entry } = current;
    clearTimeout(timer);
    current = null;
    entry[2] = performance.now();
    setTimeout(() => line.onerror?.({ error: "interrupted" }), 0);
  },
} });
"""
