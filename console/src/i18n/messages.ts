import { createInstance } from 'i18next';
import type archives from '../../locales/en/archives.json';
import type chats from '../../locales/en/chats.json';
import type common from '../../locales/en/common.json';
import type profile from '../../locales/en/profile.json';
import type reports from '../../locales/en/reports.json';
import type settings from '../../locales/en/settings.json';
import type signIn from '../../locales/en/sign-in.json';
import type team from '../../locales/en/team.json';
import type tickets from '../../locales/en/tickets.json';
import type visitors from '../../locales/en/visitors.json';
import { loadCatalogs, locale } from './language.ts';

interface Catalogs {
  archives: typeof archives;
  chats: typeof chats;
  common: typeof common;
  profile: typeof profile;
  reports: typeof reports;
  settings: typeof settings;
  'sign-in': typeof signIn;
  team: typeof team;
  tickets: typeof tickets;
  visitors: typeof visitors;
}

export type Area = keyof Catalogs;

/** `chats_one` and `chats_other` are the plural forms of the message `chats`. */
type MessageKey<K> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K;

/** Texts of one area and the common ones, by key; a key without a text does not compile. */
export type Translate<A extends Area> = (
  key: MessageKey<keyof Catalogs[A] | keyof Catalogs['common']>,
  values?: Record<string, string | number>,
) => string;

const i18n = createInstance({
  lng: locale,
  fallbackLng: 'en',
  resources: {},
  initAsync: false,
  keySeparator: false,
  // React escapes what it shows.
  interpolation: { escapeValue: false },
});
await i18n.init();

const addArea = async (area: Area): Promise<void> => {
  for (const [language, messages] of await loadCatalogs(area)) i18n.addResourceBundle(language, area, messages);
};

/** Fetches the texts of an area. A page's `t.ts` waits for it; the router calls it early to save a round trip. */
export const loadMessages = async <A extends Area>(area: A): Promise<Translate<A>> => {
  await Promise.all([addArea('common'), addArea(area)]);
  return i18n.getFixedT(null, [area, 'common']) as unknown as Translate<A>;
};
