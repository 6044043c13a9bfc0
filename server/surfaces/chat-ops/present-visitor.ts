import type { LiveVisitor as WireVisitor } from '#contracts/chat-ops/visitors.ts';
import { type WallClock, wallClock } from '#server/domain/time-zones.ts';
import { browserName } from '#server/domain/visits/browser-name.ts';
import type { LiveChat, LiveVisitor } from '#server/domain/visits/live-records.ts';
import { toDateText, toUnixSeconds } from './present.ts';
import { presentFields } from './present-surveys.ts';

const UNNAMED = 'Client';

/** `0:01:45` */
const toDuration = (seconds: number): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};

const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));

const presentChat = (clock: WallClock, { threadId, groupIds, startedAt, queuedAt, surveys }: LiveChat) => {
  const [start, start_ts] = [toDateText(clock, startedAt), toUnixSeconds(startedAt)];
  return {
    chat: { id: threadId, group: groupIds, start_time: start, start_time_ts: start_ts },
    chat_id: threadId,
    chat_start_time: start,
    chat_start_time_ts: start_ts,
    ...(queuedAt
      ? { queue_start_time: toDateText(clock, queuedAt), queue_start_time_ts: toUnixSeconds(queuedAt) }
      : {}),
    prechat_survey: surveys.flatMap(presentFields),
  };
};

const presentPages = (clock: WallClock, now: Date, { pages, visitStartedAt, pageViewsCount }: LiveVisitor) => {
  const current = pages.at(-1);
  const seconds = current ? secondsBetween(current.openedAt, now) : 0;
  return {
    page_address: current?.url ?? '',
    page_current: current?.url ?? '',
    page_title: current?.title ?? '',
    page_views: pageViewsCount,
    ...(current
      ? { page_entered: toDateText(clock, current.openedAt), page_entered_ts: toUnixSeconds(current.openedAt) }
      : {}),
    page_time: toDuration(seconds),
    page_time_ts: seconds,
    visit_path: pages.map(({ url, title, openedAt, invitation = '' }) => ({
      page: url,
      title: title ?? '',
      invitation,
      time: toDateText(clock, openedAt),
      time_ts: toUnixSeconds(openedAt),
      time_ref: visitStartedAt ? secondsBetween(visitStartedAt, openedAt) : 0,
    })),
  };
};

/** A presenter for one time zone; a whole list shares its clock. */
export const visitorPresenter = (timeZone: string, now: Date): ((visitor: LiveVisitor) => WireVisitor) => {
  const clock = wallClock(timeZone);
  return (visitor) => {
    const { place, chat, greetings, previousVisitAt, referrer, searchKeyword } = visitor;
    return {
      id: visitor.id,
      name: visitor.name ?? UNNAMED,
      state: visitor.state,
      group: visitor.groupId,
      browser: browserName(visitor.userAgent ?? ''),
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
        ? { last_visit: toDateText(clock, previousVisitAt), last_visit_ts: toUnixSeconds(previousVisitAt) }
        : {}),
      ...presentPages(clock, now, visitor),
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
      ...(chat ? presentChat(clock, chat) : {}),
    };
  };
};
