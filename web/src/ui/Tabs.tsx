import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

export interface Tab<N extends string> {
  name: N;
  title: ComponentChildren;
}

/** Tabs with the keys that people expect: arrows, Home, End. The panel is what `children` shows for `chosen`. */
export function Tabs<N extends string>({ label, tabs, chosen, choose, children }: { label: string; tabs: readonly Tab<N>[]; chosen: N; choose: (name: N) => void; children: ComponentChildren }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.name === chosen);
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (!tab) return;
    choose(tab.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button key={tab.name} type="button" role="tab" id={`${id}-${tab.name}`} aria-selected={tab.name === chosen} aria-controls={`${id}-panel`} tabIndex={tab.name === chosen ? 0 : -1} onClick={() => choose(tab.name)}>
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} class="tab-panel">
        {children}
      </div>
    </div>
  );
}
