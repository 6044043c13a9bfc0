import { requireCustomer } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { CustomerRecord } from './records.ts';

/** Both counts use an index on the customer's chats. */
const countChats = async (scope: OrganizationScope, id: string) => {
  const chats = scope.from('chats').where('customerId', '=', id);
  const [{ chatsCount }, { threadsCount }] = await Promise.all([
    chats.select((eb) => eb.fn.countAll<number>().as('chatsCount')).executeTakeFirstOrThrow(),
    chats
      .innerJoin('threads', (join) =>
        join.onRef('threads.organizationId', '=', 'chats.organizationId').onRef('threads.chatId', '=', 'chats.id'),
      )
      .select((eb) => eb.fn.countAll<number>().as('threadsCount'))
      .executeTakeFirstOrThrow(),
  ]);
  return { chatsCount, threadsCount };
};

/** The caller must check permissions. */
export const loadCustomer = async (scope: OrganizationScope, id: string): Promise<CustomerRecord> => {
  const row = await scope.from('customers').where('id', '=', id).selectAll().executeTakeFirst();
  if (!row) throw notFound('Customer');
  const { name, email, avatar, visitsCount, pageViewsCount, greetingsShownCount, greetingsAcceptedCount } = row;
  return {
    id,
    ...(name === null ? {} : { name }),
    ...(email === null ? {} : { email, emailVerified: row.emailVerifiedAt !== null }),
    ...(avatar === null ? {} : { avatar }),
    sessionFields: row.sessionFields,
    statistics: {
      ...(await countChats(scope, id)),
      visitsCount,
      pageViewsCount,
      greetingsShownCount,
      greetingsAcceptedCount,
    },
  };
};

/** Customers can read only themselves. */
export const getCustomer = (scope: OrganizationScope): Promise<CustomerRecord> =>
  loadCustomer(scope, requireCustomer(scope.actor).id);
