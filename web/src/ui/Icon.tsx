// Paths on a grid of 16, drawn with a line of 1.5. To add one: its name and its path.
const PATHS = {
  check: "m3 8.5 3.5 3.5L13 5",
  cross: "m4 4 8 8M12 4l-8 8",
  copy: "M6 6V3.5h6.5V10H10M3.5 6H10v6.5H3.5z",
  chevron: "m6 4 4 4-4 4",
  down: "m4 6 4 4 4-4",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5 14 14",
  run: "M5 3.5v9l7-4.5z",
  send: "M8 13V3M4 7l4-4 4 4",
  sun: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
  user: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 14c.5-2.7 2.5-4 5.2-4s4.7 1.3 5.2 4",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  globe: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12",
  reset: "M3 8a5 5 0 1 1 1.6 3.7M3 13v-2.5h2.5",
  download: "M8 2.5v7.5M4.5 7 8 10.5 11.5 7M3 13.5h10",
  horn: "M3 6.5v3h2.5L12 13V3L5.5 6.5zM14 6.5v3",
  half: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12",
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
