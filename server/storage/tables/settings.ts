import type { ColumnType } from 'kysely';

/** A jsonb column with a default. */
type Json<T> = ColumnType<T, string | undefined, string>;

/** The appearance of the widget. */
export interface Appearance {
  theme: 'light' | 'dark' | 'auto';
  /** `#rrggbb` */
  accentColor: string;
  position: 'left' | 'right';
  /** The URL of an image; empty if there is none. */
  logoUrl: string;
}

/** The button that opens the widget: a text or the URL of an image. */
export interface ChatButton {
  id: string;
  type: 'text' | 'image';
  onlineValue: string;
  offlineValue: string;
}

/** Custom phrases of the group, by language and phrase key. */
export type PhraseOverrides = Record<string, Record<string, string>>;

/** `fields` is defined in the domain. Groups without a form use the default form. */
export type StoredForms = Record<string, { enabled: boolean; form?: { id: string; fields: unknown[] } } | undefined>;

export interface GroupSettingsColumns {
  appearance: Json<Partial<Appearance>>;
  buttons: ColumnType<ChatButton[] | null, string | null | undefined, string | null>;
  phrases: Json<PhraseOverrides>;
  forms: Json<StoredForms>;
}
