import { StreamLanguage, type StreamParser } from "@codemirror/language";

type Mode = StreamParser<never>;

// By how the name of a source ends: the table of languages gives each its file name.
const MODES: Record<string, () => Promise<Mode>> = {
  c: async () => (await import("@codemirror/legacy-modes/mode/clike")).c as Mode,
  cpp: async () => (await import("@codemirror/legacy-modes/mode/clike")).cpp as Mode,
  cs: async () => (await import("@codemirror/legacy-modes/mode/clike")).csharp as Mode,
  dart: async () => (await import("@codemirror/legacy-modes/mode/clike")).dart as Mode,
  java: async () => (await import("@codemirror/legacy-modes/mode/clike")).java as Mode,
  kt: async () => (await import("@codemirror/legacy-modes/mode/clike")).kotlin as Mode,
  scala: async () => (await import("@codemirror/legacy-modes/mode/clike")).scala as Mode,
  go: async () => (await import("@codemirror/legacy-modes/mode/go")).go as Mode,
  hs: async () => (await import("@codemirror/legacy-modes/mode/haskell")).haskell as Mode,
  js: async () => (await import("@codemirror/legacy-modes/mode/javascript")).javascript as Mode,
  ts: async () => (await import("@codemirror/legacy-modes/mode/javascript")).typescript as Mode,
  pas: async () => (await import("@codemirror/legacy-modes/mode/pascal")).pascal as Mode,
  py: async () => (await import("@codemirror/legacy-modes/mode/python")).python as Mode,
  rb: async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby as Mode,
  rs: async () => (await import("@codemirror/legacy-modes/mode/rust")).rust as Mode,
};

export async function languageOf(fileName: string): Promise<StreamLanguage<never> | null> {
  const load = MODES[fileName.slice(fileName.lastIndexOf(".") + 1)];
  return load ? StreamLanguage.define(await load()) : null;
}
