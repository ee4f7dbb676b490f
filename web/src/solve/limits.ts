import type { Language, Problem } from "../api/schema";

/** The limits that hold for a language: its own where the problem has some, else the common ones by its factor. */
export function limitsOf(limits: Problem["limits"], language: Language | undefined): { time: number | null; memory: number | null } {
  const own = limits?.per_language?.find((each) => each.language === language?.slug);
  const scaled = (common: number | null | undefined, factor: number | undefined): number | null => (common ? (common * (factor ?? 1000)) / 1000 : null);
  return {
    time: own?.time_ms || scaled(limits?.time_ms, language?.time_factor_milli),
    memory: own?.memory_bytes || scaled(limits?.memory_bytes, language?.memory_factor_milli),
  };
}
