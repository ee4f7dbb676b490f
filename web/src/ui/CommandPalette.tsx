import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../api/call";
import { me } from "../api/session";
import { chooseLocale, titleOf, locale, t } from "../i18n";
import { go } from "../router";
import { callsOpen, helpOpen, paletteOpen } from "../shortcuts";
import { theme } from "../theme";
import { Dialog } from "./Dialog";
import { entries } from "./navigation";

interface Command {
  text: string;
  detail?: string;
  run: () => void;
}

function commands(): Command[] {
  const places = entries(me.value ?? null).map((entry) => ({ text: t(entry.text), run: () => go(entry.href) }));
  const dark = theme.value === "dark" || (theme.value === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  return [
    ...places,
    ...(me.value ? [{ text: t("nav.settings"), run: () => go("/settings/profile") }] : [{ text: t("nav.sign_in"), run: () => go("/login") }]),
    { text: t(dark ? "theme.to_light" : "theme.to_dark"), run: () => (theme.value = dark ? "light" : "dark") },
    { text: locale.value === "en" ? "切换到中文" : "Switch to English", run: () => void chooseLocale(locale.value === "en" ? "zh" : "en") },
    { text: t("keys.title"), run: () => (helpOpen.value = true) },
    { text: t("calls.title"), run: () => (callsOpen.value = true) },
  ];
}

/** Ctrl-K: go anywhere, find a problem, do a thing. */
export function CommandPalette() {
  const [typed, type] = useState("");
  const [found, setFound] = useState<Command[]>([]);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const open = paletteOpen.value;

  useEffect(() => {
    setAt(0);
    if (!open || typed.trim().length < 2) return setFound([]);
    const stop = new AbortController();
    const later = setTimeout(() => {
      call("GET /api/problems", { query: { search: typed.trim(), size: 8 } }, { signal: stop.signal }).then(
        (answer) => setFound(answer.items.map((each) => ({ text: titleOf(each), detail: each.slug, run: () => go(`/problems/${each.slug}`) }))),
        () => undefined,
      );
    }, 120);
    return () => {
      clearTimeout(later);
      stop.abort();
    };
  }, [typed, open]);

  const close = (): void => {
    paletteOpen.value = false;
    type("");
  };
  const wanted = typed.trim().toLowerCase();
  const shown = open ? [...found, ...commands().filter((each) => each.text.toLowerCase().includes(wanted))] : [];
  const choose = (command: Command | undefined): void => {
    close();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step) {
      event.preventDefault();
      const next = (at + step + shown.length) % Math.max(1, shown.length);
      setAt(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(shown[at]);
    }
  };
  return (
    <Dialog title={t("palette.title")} open={open} close={close}>
      <input class="palette-input" type="text" role="combobox" aria-label={t("palette.label")} aria-expanded="true" aria-controls="palette-list" aria-activedescendant={shown.length ? `palette-${at}` : undefined} placeholder={t("palette.label")} value={typed} autoFocus onInput={(event) => type(event.currentTarget.value)} onKeyDown={onKeyDown} />
      <ul id="palette-list" class="palette-list" role="listbox" aria-label={t("palette.title")} ref={list}>
        {shown.map((command, index) => (
          <li key={`${command.text}${command.detail ?? ""}`} id={`palette-${index}`} role="option" aria-selected={index === at} onClick={() => choose(command)} onMouseMove={() => setAt(index)}>
            <span>{command.text}</span>
            {command.detail && <span class="muted small">{command.detail}</span>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
