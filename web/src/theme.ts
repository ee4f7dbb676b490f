import { effect, signal } from "@preact/signals";
import { recall, remember } from "./store";

export type Theme = "system" | "light" | "dark";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];

export const theme = signal<Theme>(recall<Theme>("theme", "system"));

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
  remember("theme", theme.value);
});
