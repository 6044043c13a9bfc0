import type { LiveVisitor as WireVisitor } from '#contracts/chat-ops/visitors.ts';
import { UNNAMED } from '#server/domain/customers/unnamed.ts';
import { wallClock } from '#server/domain/time-zones.ts';
import { browserName } from '#server/domain/visits/browser-name.ts';
import type { LiveChat, LiveVisitor } from '#server/domain/visits/live-records.ts';
import { toDateText, toUnixSeconds } from './present.ts';
import { presentFields } from './present-surveys.ts';

/** `0:01:45` */
const toDuration = (seconds: number): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};

type ToText = (instant: Date) => string;

/** Of thousands of visitors many did something in the same second. */
const rememberTexts = (timeZone: string): ToText => {
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

const presentChat = (toText: ToText, { threadId, groupIds, startedAt, queuedAt, surveys }: LiveChat) => {
  const [start, start_ts] = [toText(startedAt), toUnixSeconds(startedAt)];
  return {
    chat: { id: threadId, group: groupIds, start_time: start, start_time_ts: start_ts },
    chat_id: threadId,
    chat_start_time: start,
    chat_start_time_ts: start_ts,
    ...(queuedAt ? { queue_start_time: toText(queuedAt), queue_start_time_ts: toUnixSeconds(queuedAt) } : {}),
    prechat_survey: surveys.flatMap(presentFields),
  };
};

const presentPages = (toText: ToText, now: Date, { pages, visitStartedAt, pageViewsCount }: LiveVisitor) => {
  const current = pages.at(-1);
  const seconds = current ? secondsBetween(current.openedAt, now) : 0;
  return {
    page_address: current?.url ?? '',
    page_current: current?.url ?? '',
    page_title: current?.title ?? '',
    page_views: pageViewsCount,
    ...(current ? { page_entered: toText(current.openedAt), page_entered_ts: toUnixSeconds(current.openedAt) } : {}),
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

/** A presenter for one time zone; a whole list shares what it worked out. */
export const visitorPresenter = (timeZone: string, now: Date): ((visitor: LiveVisitor) => WireVisitor) => {
  const toText = rememberTexts(timeZone);
  const browsers = new Map<string, string>();
  const browserOf = (userAgent: string): string => {
    const name = browsers.get(userAgent) ?? browserName(userAgent);
    browsers.set(userAgent, name);
    return name;
  };
  return (visitor) => {
    const { place, chat, greetings, previousVisitAt, referrer, searchKeyword } = visitor;
    return {
      id: visitor.id,
      name: visitor.name ?? UNNAMED,
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
      ...(place.latitude === undefined ? {} : { latitude: place.latitude }),
      ...(place.longitude === undefined ? {} : { longitude: place.longitude }),
      visits: visitor.visitsCount,
      ...(previousVisitAt
        ? { last_visit: toText(previousVisitAt), last_visit_ts: toUnixSeconds(previousVisitAt) }
        : {}),
      ...presentPages(toText, now, visitor),
      ...(referrer ? { referrer } : {}),
      ...(searchKeyword ? { search_keyword: searchKeyword } : {}),
      custom_variables: visitor.sessionFields.flatMap((field) =>
        Object.entries(field).map(([key, value]) => ({ key, value })),
      ),
      invitation: visitor.invitation ?? '',
      greetings_all: greetings.shown,
      greetings_accepted: greetings.accepted,
      greetings_refused: greetings.refused,
      chats: visitor.chatsCount,
      operators: (chat?.agents ?? []).map(({ login, name }) => ({ display_name: name, email: login })),
      ...(chat ? presentChat(toText, chat) : {}),
    };
  };
};
