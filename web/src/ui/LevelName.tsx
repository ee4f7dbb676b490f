import type { Level } from "../api/schema";
import { t, type Key } from "../i18n";

export function LevelName({ of }: { of: Level }) {
  return <span class={`level level-${of}`}>{t(`level.${of}` as Key)}</span>;
}
