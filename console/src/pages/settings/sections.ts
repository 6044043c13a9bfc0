/** Each has an address of its own: `/settings/<path>`. */
export const SECTIONS = [
  {
    title: 'Talking with customers',
    sections: [
      { path: 'canned-responses', title: 'Canned responses', about: 'Answers that agents find by # and a word' },
      { path: 'greetings', title: 'Greetings', about: 'Who is greeted on the site, when, and with what words' },
      { path: 'forms', title: 'Forms', about: 'What is asked before and after a chat, and when nobody is there' },
      { path: 'tags', title: 'Tags', about: 'What chats and tickets are marked with' },
      { path: 'goals', title: 'Goals', about: 'What visitors should do, counted in the reports' },
    ],
  },
  {
    title: 'The widget',
    sections: [
      {
        path: 'appearance',
        title: 'Appearance and code',
        about: 'Colour, theme, position, and the code for your site',
      },
      { path: 'trusted-domains', title: 'Trusted domains', about: 'Where the widget may be shown' },
    ],
  },
  {
    title: 'Work',
    sections: [
      { path: 'routing', title: 'Routing', about: 'When chats are closed, given to others and given up' },
      { path: 'ticket-mail', title: 'Ticket mail', about: 'The address whose mail becomes tickets' },
      { path: 'bans', title: 'Banned customers', about: 'Who is kept out, and until when' },
    ],
  },
  {
    title: 'Programs',
    sections: [
      { path: 'webhooks', title: 'Webhooks', about: 'Programs that are told what happens; every delivery is logged' },
      { path: 'apps', title: 'Apps and access', about: 'OAuth apps, what agents let them do, and API keys' },
    ],
  },
] as const;

export type SectionPath = (typeof SECTIONS)[number]['sections'][number]['path'];

export interface Section {
  path: SectionPath;
  title: string;
  about: string;
}

const all: readonly Section[] = SECTIONS.flatMap(({ sections }) => [...sections] as Section[]);

export const findSection = (path: string): Section | undefined => all.find((section) => section.path === path);
