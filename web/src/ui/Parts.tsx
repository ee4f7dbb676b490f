import { useEffect, useRef } from "preact/hooks";
import { place } from "../router";

/** The pages of an area, as links. */
export function Parts({ label, parts }: { label: string; parts: readonly { href: string; text: string }[] }) {
  const path = place.value.path;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a narrow screen the list scrolls; the page itself must not.
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (list.current && current) list.current.scrollLeft = current.offsetLeft - list.current.offsetLeft - 48;
  }, [path]);
  return (
    <nav class="parts" aria-label={label}>
      <ul ref={list}>
        {parts.map((part) => (
          <li key={part.href}>
            <a href={part.href} aria-current={path === part.href || path.startsWith(`${part.href}/`) ? "page" : undefined}>
              {part.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
