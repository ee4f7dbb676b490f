import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./Icon";

async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Without https there is no clipboard but this.
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function Copy({ text, label, bare = false }: { text: string | (() => string); label?: string; bare?: boolean }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const later = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(later);
  }, [copied]);
  const name = copied ? t("action.copied") : (label ?? t("action.copy"));
  const onClick = (): void => void copy(typeof text === "string" ? text : text()).then(() => setCopied(true));
  return (
    <button type="button" class={bare ? "quiet icon-only" : "quiet"} onClick={onClick} aria-label={bare ? name : undefined} title={bare ? name : undefined}>
      <Icon name={copied ? "check" : "copy"} />
      {!bare && <span aria-live="polite">{name}</span>}
    </button>
  );
}
