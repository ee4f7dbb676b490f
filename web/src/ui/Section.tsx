import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A part of a page under a heading that names it. */
export function Section({ title, aside, children }: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="stack" aria-labelledby={id}>
      <header class="row spread">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
