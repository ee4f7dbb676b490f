import { useEffect, useState } from "preact/hooks";
import type { Language } from "../api/schema";
import { chooseLanguage, chosenLanguage, draftOf, dropDraft, keepDraft } from "./drafts";
import { firstLanguage } from "./languages";

export interface Source {
  language: Language | undefined;
  text: string;
  change: (text: string) => void;
  choose: (slug: string) => void;
  /** Back to the template of the language. */
  reset: () => void;
  changed: boolean;
  /** False when the browser keeps nothing: the reader is told. */
  kept: boolean;
}

/** The source of a subject in the chosen language. Every change is kept at once. */
export function useSource(subject: string, languages: readonly Language[]): Source {
  const [slug, setSlug] = useState<string | null>(null);
  const [text, setText] = useState("");
  const [kept, setKept] = useState(true);
  const language = firstLanguage(languages, slug ?? chosenLanguage(subject));

  useEffect(() => {
    if (language) setText(draftOf(subject, language.slug) ?? language.template);
  }, [subject, language?.slug]);

  return {
    language,
    text,
    change: (typed) => {
      setText(typed);
      if (language) setKept(keepDraft(subject, language.slug, typed));
    },
    choose: (chosen) => {
      chooseLanguage(subject, chosen);
      setSlug(chosen);
    },
    reset: () => {
      if (!language) return;
      dropDraft(subject, language.slug);
      setText(language.template);
    },
    changed: language !== undefined && text !== language.template,
    kept,
  };
}
