import { keysUnder, recall, remember } from "../store";

interface Draft {
  text: string;
  at: number;
}

const PREFIX = "draft.";
const KEPT = 300;
const key = (subject: string, language: string): string => `${PREFIX}${subject}.${language}`;

/** What was typed for a subject (a problem, or "run") in a language; null when it is the template still. */
export const draftOf = (subject: string, language: string): string | null => recall<Draft | null>(key(subject, language), null)?.text ?? null;

/** Returns whether the browser keeps it. */
export function keepDraft(subject: string, language: string, text: string): boolean {
  remember(`chosen.${subject}`, language);
  return remember(key(subject, language), { text, at: Date.now() } satisfies Draft);
}

export function dropDraft(subject: string, language: string): void {
  remember(key(subject, language), null);
}

/** The language last used for a subject, or last used at all. */
export const chosenLanguage = (subject: string): string | null => recall<string | null>(`chosen.${subject}`, null) ?? recall<string | null>("language", null);

export function chooseLanguage(subject: string, language: string): void {
  remember(`chosen.${subject}`, language);
  remember("language", language);
}

/** Forget the oldest drafts when there are very many: a browser keeps about 5 MB for a site. */
export function tidyDrafts(): void {
  const found = keysUnder(PREFIX).map((name) => ({ name, at: recall<Draft | null>(name, null)?.at ?? 0 }));
  found.sort((one, other) => other.at - one.at);
  for (const { name } of found.slice(KEPT)) remember(name, null);
}
