import { place } from "../router";

/** The pages of an area, as links. */
export function Parts({ label, parts }: { label: string; parts: readonly { href: string; text: string }[] }) {
  const path = place.value.path;
  return (
    <nav class="parts" aria-label={label}>
      <ul>
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
