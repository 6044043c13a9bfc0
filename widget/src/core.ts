import type { Customer } from '#contracts/chat/customers.ts';
import type { Configuration } from '#contracts/customer/configuration.ts';
import type { LoginResponse } from '#contracts/customer/login.ts';
import type { ApiService } from './loader/api.ts';

/** Types shared by the three scripts, which load one after the other: loader, engine and app. */
export interface Options {
  organizationId: string;
  groupId: number;
  /** The server's base URL with a trailing slash. */
  base: string;
  language: string | undefined;
  direction: string | undefined;
}

export interface WireError {
  /** An API error type or `connection_lost`. */
  type: string;
  message: string;
}

export interface Push {
  action: string;
  // biome-ignore lint/suspicious/noExplicitAny: the payload depends on the action.
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
  login(): LoginResponse | undefined;
  stop(): void;
}

export interface DynamicConfiguration {
  group_id: number;
  online_groups_ids: number[];
  domain_allowed: boolean;
  config_version: string;
  localization_version: string;
  language: string;
}

export type Visibility = 'maximized' | 'minimized' | 'hidden';

/** The configuration as of the previous page, to draw the bubble without waiting for the server. */
export interface CachedConfiguration {
  version: string;
  content: Configuration;
  online: boolean;
  hidden: boolean;
}

export interface Bubble {
  show(visible: boolean): void;
  applyConfiguration(configuration: Configuration, online: boolean): void;
  setOpen(open: boolean): void;
  setUnread(count: number): void;
  focus(): void;
}

/** What the loader hands over to the engine. */
export interface Shell {
  options: Options;
  root: ShadowRoot;
  bubble: Bubble;
  api: ApiService;
  cached: CachedConfiguration | undefined;
  configurationKey: string;
  /** The bubble was pressed before the engine was loaded. */
  pressed: boolean;
  onPress(): void;
}

/** What the app offers to the engine once it is loaded. */
export interface App {
  /** The visibility or the availability has changed. */
  refresh(): void;
  onPush(push: Push): void;
  onLogin(answer: LoginResponse): void;
  onLink(state: LinkState): void;
  /** For the JavaScript API. */
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
  /** Undefined until the first login. */
  dynamic(): DynamicConfiguration | undefined;
  visibility(): Visibility;
  setVisibility(visibility: Visibility): void;
  isOnline(): boolean;
  /** Emits an event of the JavaScript API. */
  emit(event: string, data: unknown): void;
}
