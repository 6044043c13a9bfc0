/** Stroke paths on a 24 × 24 grid. */
const PATHS = {
  chats: 'M4 5h16v11H10l-5 4v-4H4z',
  visitors: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  archives: 'M3 5h18v4H3z M5 9v10h14V9 M10 13h4',
  tickets: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4z M14 6v12',
  reports: 'M4 20h16 M7 20v-7 M12 20V5 M17 20v-10',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z M2.5 20a6.5 6.5 0 0 1 13 0 M16 4.5a3.5 3.5 0 0 1 0 6.4 M18 14.2a6.5 6.5 0 0 1 3.5 5.8',
  settings:
    'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z M12 3v2.4 M12 18.6V21 M3 12h2.4 M18.6 12H21 M5.6 5.6l1.7 1.7 M16.7 16.7l1.7 1.7 M18.4 5.6l-1.7 1.7 M7.3 16.7l-1.7 1.7',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12 M18 6L6 18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14z M16 16l5 5',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7',
  send: 'M4 12l17-8-5 17-4-7z M12 14l9-10',
  note: 'M5 4h14v10l-5 6H5z M19 14h-5v6',
  transfer: 'M4 8h14l-4-4 M20 16H6l4 4',
  tag: 'M4 4h8l8 8-8 8-8-8z M8 8h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M12 11v5 M12 8h.01',
  ban: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M5.6 5.6l12.8 12.8',
  check: 'M5 12l5 5 9-10',
  file: 'M6 3h8l5 5v13H6z M14 3v5h5',
  more: 'M5 12h.01 M12 12h.01 M19 12h.01',
  plus: 'M12 5v14 M5 12h14',
  download: 'M12 4v11 M7 11l5 5 5-5 M5 20h14',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  keyboard: 'M3 6h18v12H3z M7 10h.01 M11 10h.01 M15 10h.01 M7 14h10',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4z M10 21h4',
} as const;

export type IconName = keyof typeof PATHS;

/** Always next to text or in a labeled button, so it is hidden from screen readers. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
);
