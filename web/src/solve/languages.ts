import type { Language } from "../api/schema";
import { useCall, type Asked } from "../use";

const FAVOURITES = ["cpp17", "cpp20", "cpp", "python3", "pypy3", "java"];

export const useLanguages = (): Asked<{ items: Language[] }> => useCall("GET /api/languages", {});

/** The language to begin with: the one chosen before, or a common one that a judge has. */
export function firstLanguage(languages: readonly Language[], chosen: string | null): Language | undefined {
  const live = languages.filter((each) => each.available);
  return languages.find((each) => each.slug === chosen) ?? FAVOURITES.map((slug) => live.find((each) => each.slug === slug)).find(Boolean) ?? live[0] ?? languages[0];
}
