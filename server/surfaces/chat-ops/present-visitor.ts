import type { LiveVisitor as WireVisitor } from '#contracts/chat-ops/visitors.ts';
import { DEFAULT_CUSTOMER_NAME } from '#server/domain/support/customers/default-name.ts';
import { browserName } from '#server/domain/support/visits/browser-name.ts';
import type { LiveChat, LiveVisitor } from '#server/domain/support/visits/live-records.ts';
import { wallClock } from '#server/domain/time-zones.ts';
import { toDateText, toUnixSeconds } from './present.ts';
import { presentFields } from './present-surveys.ts';

/** `0:01:45` */
const toDuration = (seconds: number): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};

type ToText = (instant: Date) => string;

/** Many of thousands of visitors have events in the same second. */
const createDateCache = (timeZone: string): ToText => {
  const clock = wallClock(timeZone);
  const texts = new Map<number, string>();
  return (instant) => {
    const second = toUnixSeconds(instant);
    const text = texts.get(second) ?? toDateText(clock, instant);
    texts.set(second, text);
    return text;
  };
};

const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));

/**
 * Clients in typed languages read every field of every visitor, so none is missing; unknown numbers are null, as in the
 * reports.
 */
const presentMoment = <N extends string>(toText: ToText, name: N, moment: Date | undefined) =>
  ({ [name]: moment ? toText(moment) : '', [`${name}_ts`]: moment ? toUnixSeconds(moment) : null }) as Record<
    N,
    string
  > &
    Record<`${N}_ts`, number | null>;

const presentRunning = (toText: ToText, { threadId, groupIds, startedAt }: LiveChat) => ({
  ...{ id: threadId, group: groupIds, start_time: toText(startedAt), start_time_ts: toUnixSeconds(startedAt) },
});

const presentChat = (toText: ToText, chat: LiveChat | undefined) => ({
  chat: chat ? presentRunning(toText, chat) : null,
  chat_id: chat?.threadId ?? '',
  ...presentMoment(toText, 'chat_start_time', chat?.startedAt),
  ...presentMoment(toText, 'queue_start_time', chat?.queuedAt),
  ...(chat ? { prechat_survey: chat.surveys.flatMap(presentFields) } : {}),
});

const presentPages = (toText: ToText, now: Date, { pages, visitStartedAt, pageViewsCount }: LiveVisitor) => {
  const current = pages.at(-1);
  const seconds = current ? secondsBetween(current.openedAt, now) : 0;
  return {
    page_address: current?.url ?? '',
    page_current: current?.url ?? '',
    page_title: current?.title ?? '',
    page_views: pageViewsCount,
    ...presentMoment(toText, 'page_entered', current?.openedAt),
    page_time: toDuration(seconds),
    page_time_ts: seconds,
    visit_path: pages.map(({ url, title, openedAt, invitation = '' }) => ({
      page: url,
      title: title ?? '',
      invitation,
      time: toText(openedAt),
      time_ts: toUnixSeconds(openedAt),
      time_ref: visitStartedAt ? secondsBetween(visitStartedAt, openedAt) : 0,
    })),
  };
};

/** A presenter for one time zone that caches formatted dates for a whole list. */
export const visitorPresenter = (timeZone: string, now: Date): ((visitor: LiveVisitor) => WireVisitor) => {
  const toText = createDateCache(timeZone);
  const browsers = new Map<string, string>();
  const browserOf = (userAgent: string): string => {
    const name = browsers.get(userAgent) ?? browserName(userAgent);
    browsers.set(userAgent, name);
    return name;
  };
  return (visitor) => {
    const { place, chat, greetings } = visitor;
    return {
      id: visitor.id,
      name: visitor.name ?? DEFAULT_CUSTOMER_NAME,
      state: visitor.state,
      group: visitor.groupId,
      browser: browserOf(visitor.userAgent ?? ''),
      user_agent: visitor.userAgent ?? '',
      host: visitor.ip ?? '',
      ip: visitor.ip ?? '',
      language: visitor.language ?? '',
      timezone: visitor.timezone ?? '',
      city: place.city ?? '',
      region: place.region ?? '',
      country: place.country ?? '',
      country_code: place.countryCode ?? '',
      latitude: place.latitude ?? null,
      longitude: place.longitude ?? null,
      visits: visitor.visitsCount,
      ...presentMoment(toText, 'last_visit', visitor.previousVisitAt),
      ...presentPages(toText, now, visitor),
      referrer: visitor.referrer ?? '',
      search_keyword: visitor.searchKeyword ?? '',
      custom_variables: visitor.sessionFields.flatMap((field) =>
        Object.entries(field).map(([key, value]) => ({ key, value })),
      ),
      invitation: visitor.invitation ?? '',
      greetings_all: greetings.shown,
      greetings_accepted: greetings.accepted,
      greetings_refused: greetings.refused,
      chats: visitor.chatsCount,
      operators: (chat?.agents ?? []).map(({ login, name }) => ({ display_name: name, email: login })),
      ...presentChat(toText, chat),
    };
  };
};
