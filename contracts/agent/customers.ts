import { Type } from 'typebox';
import { PageId, SortOrder } from '../chat/chats.ts';
import { CustomerDetails, SessionFieldsInput, VisitedPage } from '../chat/customers.ts';
import { Empty, Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';

const CustomerId = Type.String({ minLength: 1, maxLength: 64 });

const details = {
  name: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  email: Type.Optional(Nullable(Type.String({ maxLength: 254, examples: ['someone@example.com'] }))),
  avatar: Type.Optional(
    Nullable(
      Type.String({ maxLength: 2048, description: 'An http or https URL', examples: ['https://example.com/me.png'] }),
    ),
  ),
  session_fields: Type.Optional(Nullable(SessionFieldsInput)),
};

const maxValues = { maxItems: 100 };

const TextFilter = Type.Object({
  values: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 255 }), maxValues))),
  exclude_values: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 255 }), maxValues))),
});

const NumberFilter = Type.Object({
  values: Type.Optional(Nullable(Type.Array(Int32(), maxValues))),
  exclude_values: Type.Optional(Nullable(Type.Array(Int32(), maxValues))),
});

const Count = Type.Optional(Nullable(Int32()));
const CountRange = Type.Object({ lt: Count, lte: Count, gt: Count, gte: Count, eq: Count });

const Time = Type.Optional(Nullable(Type.String({ format: 'date-time' })));
const TimeRange = Type.Object({ lt: Time, lte: Time, gt: Time, gte: Time, eq: Time });

const CustomerFilters = Type.Object({
  country: Type.Optional(Nullable(TextFilter)),
  email: Type.Optional(Nullable(TextFilter)),
  name: Type.Optional(Nullable(TextFilter)),
  customer_id: Type.Optional(Nullable(TextFilter)),
  chat_group_ids: Type.Optional(Nullable(NumberFilter)),
  chats_count: Type.Optional(Nullable(CountRange)),
  threads_count: Type.Optional(Nullable(CountRange)),
  visits_count: Type.Optional(Nullable(CountRange)),
  created_at: Type.Optional(Nullable(TimeRange)),
  agent_last_event_created_at: Type.Optional(Nullable(TimeRange)),
  customer_last_event_created_at: Type.Optional(Nullable(TimeRange)),
  include_customers_without_chats: Type.Optional(Nullable(Type.Boolean({ description: 'Default true' }))),
});

export const getCustomer = agentAction({
  name: 'get_customer',
  scopes: ['visitors_read'],
  reads: true,
  summary: 'Returns a customer with the last visit and the latest chats',
  body: Type.Object({ id: CustomerId }),
  responses: {
    200: Type.Object({
      ...CustomerDetails.properties,
      chat_ids: Type.Array(Type.String(), { description: 'At most 100 chats the agent can access' }),
      visitor_details: Type.Array(
        Type.Object({
          id: Type.String(),
          icon: Type.Optional(Type.String()),
          fields: Type.Array(
            Type.Object({ name: Type.String(), value: Type.String(), url: Type.Optional(Type.String()) }),
          ),
          updated_at: Timestamp,
        }),
        { description: 'Details that integrations added to the customer' },
      ),
    }),
  },
});

export const listCustomers = agentAction({
  name: 'list_customers',
  scopes: ['visitors_read'],
  reads: true,
  summary: 'Lists the customers of the organization',
  description:
    'Names and email addresses match case-insensitively. The country of customers is unknown, so a `country` in `values` matches no customer. When sorting by the time of an event, customers without one come first.',
  body: Type.Object({
    page_id: Type.Optional(PageId),
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 10' })),
    sort_order: Type.Optional(SortOrder),
    sort_by: Type.Optional(
      oneOf('created_at', 'threads_count', 'visits_count', 'agent_last_event', 'customer_last_event'),
    ),
    filters: Type.Optional(Nullable(CustomerFilters)),
  }),
  responses: {
    200: Type.Object({
      customers: Type.Array(CustomerDetails),
      total_customers: Int32(),
      next_page_id: Type.Optional(PageId),
      previous_page_id: Type.Optional(PageId),
    }),
  },
});

export const createCustomer = agentAction({
  name: 'create_customer',
  scopes: ['visitors_write'],
  summary: 'Creates a customer who has not visited the site yet',
  body: Type.Object(details),
  responses: { 200: Type.Object({ customer_id: Type.String() }) },
});

export const updateCustomer = agentAction({
  name: 'update_customer',
  scopes: ['visitors_write'],
  summary: 'Updates a customer immediately, even during a chat',
  description: 'At least one field is required. Fields that are null or empty count as absent.',
  body: Type.Object({ id: CustomerId, ...details }),
  responses: { 200: Empty },
});

export const setCustomerSessionFields = agentAction({
  name: 'set_customer_session_fields',
  scopes: ['visitors_write'],
  summary: 'Replaces the session fields of a customer immediately',
  body: Type.Object({ id: CustomerId, session_fields: SessionFieldsInput }),
  responses: { 200: Empty },
});

export const banCustomer = agentAction({
  name: 'ban_customer',
  scopes: ['visitors_write'],
  summary: 'Bans a customer for a number of days',
  description:
    'The customer’s sockets are closed and further requests are rejected. A shorter ban never shortens a longer one.',
  body: Type.Object({ id: CustomerId, ban: Type.Object({ days: Int32({ minimum: 1, maximum: 3650 }) }) }),
  responses: { 200: Empty },
});

export const unbanCustomer = agentAction({
  name: 'unban_customer',
  scopes: ['visitors_write'],
  summary: 'Removes all bans of a customer or an IP address',
  description: 'Either `id` or `ip` is required. Removing a ban that does not exist has no effect.',
  body: Type.Object({
    id: Type.Optional(Nullable(CustomerId)),
    ip: Type.Optional(Nullable(Type.String({ maxLength: 64, description: 'An IPv4 or IPv6 address' }))),
  }),
  responses: { 200: Empty },
});

export const followCustomer = agentAction({
  name: 'follow_customer',
  scopes: ['visitors_write'],
  summary: 'Subscribes the agent to a customer’s activity on the site',
  body: Type.Object({ id: CustomerId }),
  responses: { 200: Empty },
});

export const unfollowCustomer = agentAction({
  name: 'unfollow_customer',
  scopes: ['visitors_write'],
  summary: 'Unsubscribes the agent from a customer’s activity',
  body: Type.Object({ id: CustomerId }),
  responses: { 200: Empty },
});

const VisitorId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'The customer’s id, or the visitor id from `GET /visitors`',
});

export const inviteCustomer = agentAction({
  name: 'invite_customer',
  scopes: ['visitors_write'],
  summary: 'Shows a greeting to a visitor who is on the site',
  description:
    'The greeting is shown in the agent’s name. Its rules and its active flag are ignored. Allowed once per visit, not during a chat and not while another greeting is shown.',
  body: Type.Object({ id: VisitorId, greeting_id: Int32() }),
  responses: { 200: Type.Object({ unique_id: Type.String() }) },
});

const Sale = Type.Object({
  order_id: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  price: Type.Optional(Type.String()),
  currency: Type.Optional(Type.String()),
});

export const getCustomerHistory = agentAction({
  name: 'get_customer_history',
  scopes: ['visitors_read'],
  reads: true,
  summary: 'Lists a customer’s past chats, visits and reached goals',
  description: 'Each list is sorted newest first. Only chats the agent can access are included.',
  body: Type.Object({ id: VisitorId }),
  responses: {
    200: Type.Object({
      threads: Type.Array(
        Type.Object({
          chat_id: Type.String(),
          thread_id: Type.String(),
          active: Type.Boolean(),
          group_ids: Type.Array(Int32()),
          agent_ids: Type.Array(Type.String()),
          tags: Type.Array(Type.String()),
          created_at: Timestamp,
          closed_at: Type.Optional(Timestamp),
        }),
        { description: 'At most 50' },
      ),
      visits: Type.Array(
        Type.Object({
          started_at: Timestamp,
          ended_at: Type.Optional(Timestamp),
          referrer: Type.Optional(Type.String()),
          pages_count: Int32(),
          pages: Type.Array(VisitedPage, {
            description: 'The latest 50 pages, in the order in which they were opened',
          }),
        }),
        { description: 'At most 20' },
      ),
      goals: Type.Array(
        Type.Object({
          goal_id: Int32(),
          name: Type.String(),
          thread_id: Type.Optional(Type.String()),
          sale: Type.Optional(Sale),
          reached_at: Timestamp,
        }),
        { description: 'At most 100' },
      ),
    }),
  },
});

export const listCustomerBans = agentAction({
  name: 'list_customer_bans',
  scopes: ['visitors_read'],
  reads: true,
  summary: 'Lists the current bans of customers and IP addresses',
  description: 'Newest first, at most 1000. Use `unban_customer` to remove a ban.',
  body: Type.Object({}),
  responses: {
    200: Type.Array(
      Type.Object({
        id: Type.String(),
        customer_id: Type.Optional(Type.String()),
        customer_name: Type.Optional(Type.String()),
        ip: Type.Optional(Type.String()),
        banned_until: Timestamp,
        banned_by: Type.String({ description: 'A login, or `operator`' }),
        created_at: Timestamp,
      }),
    ),
  },
});

export const banCustomerAddress = agentAction({
  name: 'ban_customer_address',
  scopes: ['visitors_write'],
  summary: 'Bans an IP address for a number of days',
  body: Type.Object({
    ip: Type.String({ minLength: 1, maxLength: 64, description: 'IPv4 or IPv6', examples: ['198.51.100.7'] }),
    days: Int32({ minimum: 1, maximum: 3650 }),
  }),
  responses: { 200: Empty },
});

/** Operations the console needs in addition to the ones bots use. */
export const customerCareOperations = [inviteCustomer, getCustomerHistory, listCustomerBans, banCustomerAddress];
