import type { Customer } from '#contracts/chat/customers.ts';
import type { Configuration } from '#contracts/customer/configuration.ts';
import type { LoginAnswer } from '#contracts/customer/login.ts';
import type { ApiService } from './loader/api.ts';

/** What the three files share, which come one after the other: the loader, the engine and the window. */
export interface Options {
  organizationId: string;
  groupId: number;
  /** Where the server is, with a slash at its end. */
  base: string;
  language: string | undefined;
  direction: string | undefined;
}

export interface WireError {
  /** A word of the API, or `connection_lost`. */
  type: string;
  message: string;
}

export interface Push {
  action: string;
  // biome-ignore lint/suspicious/noExplicitAny: each push has a payload of its own, read where it is taken.
  payload: any;
}

export type LinkState = 'connecting' | 'online' | 'refused';

export interface Connection {
  /** Rejects with a `WireError`; after `connection_lost` the server may or may not have executed the request. */
  request<Answer = Record<string, unknown>>(action: string, payload?: object): Promise<Answer>;
  /** Sends the request now or after the next login. Of several with the same action only the last is sent. */
  requestWhenOnline(action: string, payload: object): void;
  getToken(): Promise<string>;
  state(): LinkState;
  login(): LoginAnswer | undefined;
  stop(): void;
}

export interface Dynamic {
  group_id: number;
  online_groups_ids: number[];
  domain_allowed: boolean;
  config_version: string;
  localization_version: string;
  language: string;
}

export type Visibility = 'maximized' | 'minimized' | 'hidden';

/** What the last page knew of the widget, so that the next one draws it at once. */
export interface KeptConfiguration {
  version: string;
  content: Configuration;
  online: boolean;
  hidden: boolean;
}

export interface Bubble {
  show(visible: boolean): void;
  dress(configuration: Configuration, online: boolean): void;
  setOpen(open: boolean): void;
  setUnread(count: number): void;
  focus(): void;
}

/** What the loader has done before anything else came. */
export interface Shell {
  options: Options;
  root: ShadowRoot;
  bubble: Bubble;
  api: ApiService;
  kept: KeptConfiguration | undefined;
  configurationKey: string;
  /** The bubble was pressed before somebody could do anything about it. */
  pressed: boolean;
  onPress(): void;
}

/** What the window offers to the engine once it is there. */
export interface App {
  /** Something about the page changed: the visibility, or whether somebody answers. */
  refresh(): void;
  onPush(push: Push): void;
  onLogin(answer: LoginAnswer): void;
  onLink(state: LinkState): void;
  /** For programs of the page. */
  describe(): { chatId?: string; threadId?: string; status: string };
  hideGreeting(): void;
  startChat(text?: string): void;
}

export interface Core {
  options: Options;
  root: ShadowRoot;
  connection: Connection;
  bubble: Bubble;
  configuration(): Configuration;
  customer(): Customer | undefined;
  /** After the first login. */
  dynamic(): Dynamic | undefined;
  visibility(): Visibility;
  setVisibility(visibility: Visibility): void;
  isOnline(): boolean;
  /** Tells programs of the page. */
  emit(event: string, data: unknown): void;
}
