import { type Static, Type } from 'typebox';
import { Email, Int32, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { AttachedFile, Day, Flag, jsonp, Login, UnixSeconds } from './values.ts';

const Status = oneOf('open', 'pending', 'solved', 'spam');
const Source = oneOf('lc2', 'mail', 'socialnet', 'agent-app-manual', 'chat-window');

const Author = Type.Object({
  id: Type.String({ description: 'An email address or the login of an agent; empty for automatic events' }),
  name: Type.String(),
  type: oneOf('client', 'agent', 'system'),
});

const Person = Type.Object({ id: Login, name: Type.String() });

const Opened = Type.Object({ from: UnixSeconds });

/** Which optional fields an event has depends on its type. */
const TicketEvent = Type.Object(
  {
    type: oneOf(
      'message',
      'assignee_changed',
      'status_changed',
      'group_changed',
      'tags_changed',
      'subject_changed',
      'rating',
      'merged',
    ),
    author: Author,
    date: UnixSeconds,
    is_private: Type.Optional(Type.Boolean({ description: 'A note that only agents can read; only with `message`' })),
    message: Type.Optional(Type.String()),
    html: Type.Optional(Type.String({ description: 'The sanitized HTML body of an email' })),
    source: Type.Optional(Type.Object({ type: Source })),
    attachments: Type.Optional(Type.Array(AttachedFile)),
    dropped: Type.Optional(
      Type.Array(Type.String(), { description: 'Attachments that were not stored, with the reason' }),
    ),
    automatic: Type.Optional(
      Type.Boolean({ description: 'An automatic message: a bounce, an auto-reply or a looping email' }),
    ),
    from: Type.Optional(Type.Unknown({ description: 'The previous status, subject, groups or tags' })),
    to: Type.Optional(
      Type.Unknown({
        description: 'The new status, subject, groups, tags or assignee (`null`: unassigned)',
      }),
    ),
    rate: Type.Optional(oneOf('good', 'bad')),
    ticket: Type.Optional(
      Type.Object(
        { id: Type.String(), subject: Type.String() },
        { description: 'Only with `merged`: the other ticket' },
      ),
    ),
    direction: Type.Optional(oneOf('from', 'into')),
    undone: Type.Optional(Type.Boolean({ description: 'Whether the merge was undone' })),
  },
  { description: 'An event in a ticket’s history' },
);
export type TicketEvent = Static<typeof TicketEvent>;

export const Ticket = Type.Object(
  {
    id: Type.String(),
    subject: Type.String(),
    status: Status,
    requester: Type.Object({ mail: Type.String(), name: Type.String() }),
    assignee: Type.Optional(Person),
    groups: Type.Array(Int32()),
    source: Type.Object({
      type: Source,
      url: Type.Optional(Type.String()),
      id: Type.Optional(Type.String({ description: 'The archived chat or the form that the ticket was created from' })),
    }),
    date: UnixSeconds,
    modified: UnixSeconds,
    opened: Type.Array(Opened, { description: 'When the ticket was created, and each time it was reopened' }),
    firstResponse: Type.Object(
      {
        date: Type.Optional(UnixSeconds),
        agent: Type.Optional(Login),
        seconds: Type.Optional(Int32({ description: 'Starts with the creation' })),
      },
      { description: 'Empty until an agent replies' },
    ),
    rate: oneOf('not_rated', 'rated_good', 'rated_bad'),
    tags: Type.Array(Type.String()),
    events: Type.Array(TicketEvent),
  },
  { description: 'A ticket' },
);
export type Ticket = Static<typeof Ticket>;

const TicketPage = Type.Object({ pages: Int32(), total: Int32(), tickets: Type.Array(Ticket) });

const ticketParams = Type.Object({ ticket_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const listTickets = chatOpsOperation({
  name: 'list_tickets',
  scopes: ['tickets_read'],
  method: 'GET',
  path: '/tickets',
  summary: 'Lists tickets by their last change, 25 per page',
  description: 'Normal agents see the tickets of their groups and those assigned to them.',
  query: Type.Object({
    date_from: Type.Optional(Day('The first day with an event in the ticket')),
    date_to: Type.Optional(Day('The last day with an event in the ticket, inclusive')),
    page: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Default 1, at most 1000; narrow the dates to reach older tickets' }),
    ),
    assigned: Type.Optional(Flag('0: only unassigned tickets, 1: only assigned tickets')),
    order: Type.Optional(oneOf('desc', 'asc')),
    status: Type.Optional(Status),
    assignee: Type.Optional(Login),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words that must all occur in the subject, the messages, or the requester’s name or email address. The last word matches as a prefix.',
      }),
    ),
    requester: Type.Optional(
      Type.Object(
        { mail: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })) },
        { description: '`requester[mail]`' },
      ),
    ),
    group: Type.Optional(Int32()),
    source: Type.Optional(Source),
    tag: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Tickets that have all of these tags',
      }),
    ),
    tagged: Type.Optional(Flag()),
    ...jsonp,
  }),
  responses: { 200: TicketPage },
});

export const getTicket = chatOpsOperation({
  name: 'get_ticket',
  scopes: ['tickets_read'],
  method: 'GET',
  path: '/tickets/:ticket_id',
  summary: 'Returns a ticket',
  params: ticketParams,
  query: Type.Object(jsonp),
  responses: { 200: Ticket },
});

export const createTicket = chatOpsOperation({
  name: 'create_ticket',
  scopes: ['tickets_write'],
  method: 'POST',
  path: '/tickets',
  audit: false,
  summary: 'Creates a ticket without sending an email',
  body: Type.Object({
    message: Type.String({ minLength: 1, maxLength: 200_000 }),
    requester: Type.Object({ mail: Email(), name: Type.Optional(Type.String({ maxLength: 200 })) }),
    assignee: Type.Optional(Type.Object({ id: Login })),
    source: Type.Optional(
      Type.Object({
        type: Type.Optional(oneOf('chat-window', 'mail', 'lc2')),
        url: Type.Optional(Type.String({ maxLength: 2000, description: 'URL of the form; only with `chat-window`' })),
      }),
    ),
    subject: Type.Optional(Type.String({ maxLength: 500, description: 'Default `(no subject)`' })),
    group: Type.Optional(Type.Array(Int32(), { maxItems: 100, description: 'Default `[0]`' })),
  }),
  responses: { 200: Ticket },
});

export const setTicketTags = chatOpsOperation({
  name: 'set_ticket_tags',
  scopes: ['tickets_write'],
  method: 'PUT',
  path: '/tickets/:ticket_id/tags',
  audit: false,
  summary: 'Replaces the tags of a ticket',
  params: ticketParams,
  body: Type.Object({
    tag: Type.Array(Type.String({ maxLength: 128 }), {
      maxItems: 100,
      description: 'All tags of the ticket; an empty list, or one empty item, removes all tags',
      examples: [['sale']],
    }),
  }),
  responses: { 200: TicketPage },
});

export const ticketOperations = [listTickets, getTicket, createTicket, setTicketTags];
