// The page's own words. What the game says comes from the server; a table per language holds the rest.

const LANGUAGES = ["en", "fr", "es", "it", "de"];
export const NAMES = { en: "English", fr: "Français", es: "Español", it: "Italiano", de: "Deutsch" };

let table = {};
export let language = "en";

/** Loads the table of a language; one we do not speak is English. */
export async function speak(wanted) {
  language = LANGUAGES.includes(wanted) ? wanted : "en";
  table = (await import(`./words/${language}.js`)).default;
  document.documentElement.lang = language;
}

/** The text of `key`, `{name}`s filled in. With `n` in the values, `key.one` serves for 1. */
export function t(key, values = {}) {
  const text = (values.n === 1 && table[`${key}.one`]) || table[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Whether the table has `key`: what the server may send more of than we know. */
export const known = (key) => key in table;

/** A number in words as far as the table goes, else in figures. */
export const inWords = (n) => table.numbers[n] ?? String(n);
