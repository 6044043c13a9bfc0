import type { ColumnType } from 'kysely';

/** A jsonb column that has a value from the start. */
type Json<T> = ColumnType<T, string | undefined, string>;

/** How the widget looks. */
export interface Appearance {
  theme: 'light' | 'dark' | 'auto';
  /** `#rrggbb` */
  accentColor: string;
  position: 'left' | 'right';
  /** The address of a picture; empty: none. */
  logoUrl: string;
}

/** What a page shows to open the widget: a text, or the address of an image. */
export interface ChatButton {
  id: string;
  type: 'text' | 'image';
  onlineValue: string;
  offlineValue: string;
}

/** The group's own words, by language and phrase. */
export type PhraseOverrides = Record<string, Record<string, string>>;

/** `fields` is for the domain to know. Without a form the default one is asked. */
export type StoredForms = Record<string, { enabled: boolean; form?: { id: string; fields: unknown[] } } | undefined>;

export interface GroupSettingsColumns {
  appearance: Json<Partial<Appearance>>;
  buttons: ColumnType<ChatButton[] | null, string | null | undefined, string | null>;
  phrases: Json<PhraseOverrides>;
  forms: Json<StoredForms>;
}
