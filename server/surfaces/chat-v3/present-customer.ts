import type { Customer, CustomerDetails as WireDetails } from '#contracts/chat/customers.ts';
import type { CustomerDetails, CustomerRecord, VisitRecord } from '#server/domain/support/customers/records.ts';
import { toTimestamp } from '../../http/timestamp.ts';

type Place = NonNullable<VisitRecord['place']>;

export const presentCustomer = (record: CustomerRecord): Customer => {
  const { id, name, email, emailVerified, avatar, sessionFields, statistics } = record;
  return {
    id,
    type: 'customer',
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(emailVerified === undefined ? {} : { email_verified: emailVerified }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(sessionFields.length > 0 ? { session_fields: sessionFields } : {}),
    statistics: {
      chats_count: statistics.chatsCount,
      threads_count: statistics.threadsCount,
      visits_count: statistics.visitsCount,
      page_views_count: statistics.pageViewsCount,
      greetings_shown_count: statistics.greetingsShownCount,
      greetings_accepted_count: statistics.greetingsAcceptedCount,
    },
  };
};

export const presentPage = ({ url, title, openedAt }: VisitRecord['lastPages'][number]) => ({
  url,
  ...(title === undefined ? {} : { title }),
  opened_at: toTimestamp(openedAt),
});

const presentPlace = ({ countryCode, ...place }: Place) => ({
  ...place,
  ...(countryCode === undefined ? {} : { country_code: countryCode }),
});

const presentVisit = ({ startedAt, endedAt, referrer, ip, userAgent, place, lastPages }: VisitRecord) => ({
  started_at: toTimestamp(startedAt),
  ...(endedAt ? { ended_at: toTimestamp(endedAt) } : {}),
  ...(referrer === undefined ? {} : { referrer }),
  ...(ip === undefined ? {} : { ip }),
  ...(userAgent === undefined ? {} : { user_agent: userAgent }),
  ...(place ? { geolocation: presentPlace(place) } : {}),
  last_pages: lastPages.map(presentPage),
});

/** A customer as shown to agents. */
export const presentDetails = (record: CustomerDetails): WireDetails => ({
  ...presentCustomer(record),
  session_fields: record.sessionFields,
  created_at: toTimestamp(record.createdAt),
  group_ids: record.groupIds,
  state: record.state,
  online: record.online,
  followed: record.followed,
  ...(record.lastVisit ? { last_visit: presentVisit(record.lastVisit) } : {}),
  ...(record.agentLastEventAt ? { agent_last_event_created_at: toTimestamp(record.agentLastEventAt) } : {}),
  ...(record.customerLastEventAt ? { customer_last_event_created_at: toTimestamp(record.customerLastEventAt) } : {}),
  ...(record.banEndsAt ? { banned_until: toTimestamp(record.banEndsAt) } : {}),
});

/** For pushes to all agents, without the flag whether one of them follows the customer. */
export const presentToAll = (record: CustomerDetails): WireDetails => {
  const { followed: _, ...customer } = presentDetails(record);
  return customer;
};
