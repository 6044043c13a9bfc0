import type { Customer } from '#contracts/chat/customers.ts';
import type { CustomerRecord } from '#server/domain/customers/records.ts';

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
