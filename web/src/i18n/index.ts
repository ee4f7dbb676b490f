import { computed, effect, signal } from "@preact/signals";
import { en } from "./en";
import { recall, remember } from "../store";

export type Plural = { one: string; other: string };
export type Key = keyof typeof en;
export type Messages = Record<Key, string | Plural>;
export type Locale = "en" | "zh";
export const LOCALES: readonly Locale[] = ["en", "zh"];
export const LOCALE_NAMES: Record<Locale, string> = { en: "English", zh: "中文" };

const chosen = recall<string>("locale", navigator.language);
export const locale = signal<Locale>(chosen.startsWith("zh") ? "zh" : "en");
const messages = signal<Messages>(en);
const plurals = computed(() => new Intl.PluralRules(locale.value));
// Made once: a board formats thousands of numbers while it scrolls.
const numbers = computed(() => new Intl.NumberFormat(locale.value));
// The first format that a browser makes costs it as much as drawing a page: what has no groups does without.
const spelled = (value: number): string => (Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : numbers.value.format(value));

async function load(wanted: Locale): Promise<Messages> {
  switch (wanted) {
    case "en":
      return en;
    case "zh":
      return (await import("./zh")).zh;
  }
}

/** Resolves when the texts of the chosen language are here. */
export async function chooseLocale(wanted: Locale): Promise<void> {
  messages.value = await load(wanted);
  locale.value = wanted;
  remember("locale", wanted);
}

effect(() => {
  document.documentElement.lang = locale.value;
});

export type Values = Record<string, string | number>;

/** The text of a key, with `{name}` replaced and its plural chosen by `n`. */
export function t(key: Key, values: Values = {}): string {
  const found = messages.value[key];
  const plural = typeof found === "string" ? null : plurals.value.select(Number(values["n"] ?? 0));
  const text = typeof found === "string" ? found : plural === "one" ? found.one : found.other;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? spelled(value) : value;
  });
}

/** The text of a key that is made of data, or null when there is none. */
export function find(key: string): string | null {
  return key in messages.value ? t(key as Key) : null;
}

interface Titled {
  title?: string;
  titles?: Record<string, string>;
}

/** The title of a problem in the reader's language, if it has one. */
export function titleOf({ title, titles = {} }: Titled): string {
  const ours = Object.keys(titles).find((each) => each === locale.value) ?? Object.keys(titles).find((each) => each.startsWith(`${locale.value}-`));
  return (ours && titles[ours]) || title || "";
}
