import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import { randomId } from "../random";
import { Icon } from "./Icon";

interface Notice {
  id: string;
  text: ComponentChildren;
  tone: "plain" | "good" | "bad";
  href?: string;
}

const notices = signal<Notice[]>([]);
const SHOWN_MS = 7000;

/** Tell the reader something that needs no answer. What must not be missed has `stays`. */
export function notify(text: ComponentChildren, { tone = "plain", href, stays = false }: { tone?: Notice["tone"]; href?: string; stays?: boolean } = {}): () => void {
  const notice: Notice = { id: randomId(), text, tone, ...(href ? { href } : {}) };
  const dismiss = (): void => {
    notices.value = notices.peek().filter((each) => each.id !== notice.id);
  };
  notices.value = [...notices.peek().slice(-3), notice];
  if (!stays) setTimeout(dismiss, SHOWN_MS);
  return dismiss;
}

export function Notices() {
  return (
    <div class="notices" role="region" aria-label={t("notices.label")} aria-live="polite">
      {notices.value.map((notice) => (
        <div key={notice.id} class={`notice notice-${notice.tone}`}>
          {notice.href ? <a href={notice.href}>{notice.text}</a> : <span>{notice.text}</span>}
          <button type="button" class="quiet icon-only" aria-label={t("action.close")} onClick={() => (notices.value = notices.peek().filter((each) => each !== notice))}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
