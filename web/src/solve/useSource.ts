import { useEffect, useRef, useState } from "preact/hooks";
import type { Language } from "../api/schema";
import { chooseLanguage, chosenLanguage, draftOf, dropDraft, keepDraft } from "./drafts";
import { firstLanguage } from "./languages";

export interface Source {
  language: Language | undefined;
  text: string;
  /** Changes when the text was set by anything but typing. */
  version: number;
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
  const language = firstLanguage(languages, slug ?? chosenLanguage(subject));
  const begun = (): string => (language ? (draftOf(subject, language.slug) ?? language.template) : "");
  const [text, setText] = useState(begun);
  const [version, setVersion] = useState(0);
  const [kept, setKept] = useState(true);
  const of = `${subject} ${language?.slug ?? ""}`;
  const shown = useRef(of);

  const set = (given: string): void => {
    setText(given);
    setVersion((count) => count + 1);
  };

  useEffect(() => {
    if (shown.current !== of && language) set(begun());
    shown.current = of;
  }, [of]);

  return {
    language,
    text,
    version,
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
      set(language.template);
    },
    changed: language !== undefined && text !== language.template,
    kept,
  };
}
