export const STATUS_WORDS = {
  'accepting chats': 'Accepting chats',
  'not accepting chats': 'Not accepting chats',
  offline: 'Offline',
} as const;

/** The agent API and REST v2 write the same statuses in two ways. */
export const ROUTING_STATUSES = {
  accepting_chats: 'accepting chats',
  not_accepting_chats: 'not accepting chats',
  offline: 'offline',
} as const;

/** The colours of `browser/tokens.css` that say the same everywhere. */
export const STATUS_COLOURS = {
  'accepting chats': 'var(--good)',
  'not accepting chats': 'var(--warn)',
  offline: 'var(--quiet)',
} as const;

export const ROLE_WORDS = { owner: 'Owner', administrator: 'Administrator', normal: 'Agent' } as const;

/** What the widget speaks. */
export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'German' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
  { value: 'pl', label: 'Polish' },
  { value: 'pt', label: 'Portuguese' },
];
