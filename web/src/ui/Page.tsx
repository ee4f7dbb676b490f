import type { ComponentChildren } from "preact";
import { useTitle } from "../use";

/** The frame of a page: its heading, which also names the tab, and what stands beside it. */
export function Page({ title, tab, aside, children, wide = false }: { title: ComponentChildren; tab: string; aside?: ComponentChildren; children: ComponentChildren; wide?: boolean }) {
  useTitle(tab);
  return (
    <div class={wide ? "page page-wide" : "page"}>
      <header class="page-head">
        <h1>{title}</h1>
        {aside && <div class="page-aside">{aside}</div>}
      </header>
      {children}
    </div>
  );
}
