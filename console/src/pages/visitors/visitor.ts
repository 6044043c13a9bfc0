import type { CustomerDetails } from '#contracts/chat/customers.ts';
import type { LiveVisitor } from '#contracts/chat-ops/visitors.ts';
import { t } from './t.ts';

export type VisitorState = LiveVisitor['state'];

export interface VisitedPage {
  url: string;
  title: string;
  /** Unix seconds. */
  at: number;
  invitation: string;
}

/** A visitor as shown in the table and panel. Nothing in it depends on the current time. */
export interface Visitor {
  id: string;
  name: string;
  state: VisitorState;
  group: number;
  place: string;
  country: string;
  browser: string;
  ip: string;
  language: string;
  referrer: string;
  searched: string;
  /** Unix seconds. */
  startedAt: number;
  pages: VisitedPage[];
  views: number;
  visits: number;
  chats: number;
  agents: string;
  invitation: string;
  variables: { key: string; value: string }[];
}

export const STATE_NAMES: Record<VisitorState, string> = {
  chatting: t('chatting'),
  queued: t('inQueue'),
  browsing: t('browsing'),
  invited: t('invited'),
  'refused invitation': t('declined'),
  'chat closed': t('chatEnded'),
  'logging into chat': t('startingChat'),
};

export const UNNAMED = 'Client';

const placeOf = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(', ');

export const currentPage = ({ pages }: Visitor): VisitedPage | undefined => pages.at(-1);

const startOf = ({ visit_path: [first], page_entered_ts: entered }: LiveVisitor): number =>
  first ? first.time_ts - first.time_ref : (entered ?? 0);

export const fromList = (live: LiveVisitor): Visitor => ({
  id: live.id,
  name: live.name,
  state: live.state,
  group: live.group,
  place: placeOf(live.city, live.region, live.country),
  country: live.country,
  browser: live.browser,
  ip: live.ip,
  language: live.language,
  referrer: live.referrer,
  searched: live.search_keyword,
  startedAt: startOf(live),
  pages: live.visit_path.map(({ page, title, time_ts, invitation }) => ({ url: page, title, at: time_ts, invitation })),
  views: live.page_views,
  visits: live.visits,
  chats: live.chats,
  agents: live.operators.map(({ display_name }) => display_name).join(', '),
  invitation: live.invitation,
  variables: live.custom_variables,
});

export const toSeconds = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1000);

/** A new visitor from a push; the next list request completes the data. */
export const fromPush = (customer: CustomerDetails): Visitor => {
  const { last_visit: visit, statistics, state } = customer;
  const { city, region, country } = visit?.geolocation ?? {};
  return {
    id: customer.id,
    name: customer.name ?? UNNAMED,
    state: state === 'offline' ? 'browsing' : state,
    group: customer.group_ids[0] ?? 0,
    place: placeOf(city, region, country),
    country: country ?? '',
    browser: '',
    ip: visit?.ip ?? '',
    language: '',
    referrer: visit?.referrer ?? '',
    searched: '',
    startedAt: visit ? toSeconds(visit.started_at) : 0,
    pages: (visit?.last_pages ?? []).map(({ url, title = '', opened_at }) => ({
      ...{ url, title, invitation: '' },
      at: toSeconds(opened_at),
    })),
    views: visit?.last_pages.length ?? 0,
    visits: statistics.visits_count,
    chats: statistics.threads_count,
    agents: '',
    invitation: '',
    variables: customer.session_fields.flatMap((field) =>
      Object.entries(field).map(([key, value]) => ({ key, value })),
    ),
  };
};
