import { type Static, Type } from 'typebox';
import { Email, Int32, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { AttachedFile, Day, Flag, jsonp, Login, UnixSeconds } from './values.ts';

const Status = oneOf('open', 'pending', 'solved', 'spam');
const Source = oneOf('lc2', 'mail', 'socialnet', 'agent-app-manual', 'chat-window');

const Author = Type.Object({
  id: Type.String({ description: 'A mail address, or the login of an agent; empty when nobody did it' }),
  name: Type.String(),
  type: oneOf('client', 'agent', 'system'),
});

const Person = Type.Object({ id: Login, name: Type.String() });

const Opened = Type.Object({ from: UnixSeconds });

/** Which further fields an event has depends on its type. */
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
    is_private: Type.Optional(Type.Boolean({ description: 'A note that agents alone can read; with `message`' })),
    message: Type.Optional(Type.String()),
    html: Type.Optional(Type.String({ description: 'Of a mail that had one, made safe' })),
    source: Type.Optional(Type.Object({ type: Source })),
    attachments: Type.Optional(Type.Array(AttachedFile)),
    dropped: Type.Optional(Type.Array(Type.String(), { description: 'Attachments that were not kept, and why' })),
    automatic: Type.Optional(
      Type.Boolean({ description: 'A machine wrote it: a bounce, an auto-reply, or a mail that came back' }),
    ),
    from: Type.Optional(Type.Unknown({ description: 'What it was before: a status, a subject, groups or tags' })),
    to: Type.Optional(
      Type.Unknown({
        description: 'What it became: a status, a subject, groups, tags, or the assignee (`null`: nobody)',
      }),
    ),
    rate: Type.Optional(oneOf('good', 'bad')),
    ticket: Type.Optional(
      Type.Object({ id: Type.String(), subject: Type.String() }, { description: 'With `merged`: the other one' }),
    ),
    direction: Type.Optional(oneOf('from', 'into')),
    undone: Type.Optional(Type.Boolean({ description: 'The merge was taken back' })),
  },
  { description: 'Something that happened to a ticket' },
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
      id: Type.Optional(Type.String({ description: 'The chat of the archive, or the form, that it was made from' })),
    }),
    date: UnixSeconds,
    modified: UnixSeconds,
    opened: Type.Array(Opened, { description: 'When it was created, and each time it was opened again' }),
    firstResponse: Type.Object(
      {
        date: Type.Optional(UnixSeconds),
        agent: Type.Optional(Login),
        seconds: Type.Optional(Int32({ description: 'From the creation' })),
      },
      { description: 'Empty until an agent has answered' },
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
  summary: 'Tickets by their last change, 25 a page',
  description: 'A normal agent finds the tickets of its groups and those assigned to it.',
  query: Type.Object({
    date_from: Type.Optional(Day('The first day on which anything happened to the ticket')),
    date_to: Type.Optional(Day('The last such day, whole')),
    page: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Default 1; at most 1000, beyond which the dates must be narrowed' }),
    ),
    assigned: Type.Optional(Flag('0: only unassigned, 1: only assigned ones')),
    order: Type.Optional(oneOf('desc', 'asc')),
    status: Type.Optional(Status),
    assignee: Type.Optional(Login),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'All of its words occur in the subject, the messages, or the requester’s name or address; the last may be the beginning of a word',
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
        description: 'Tickets with all of these',
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
  summary: 'One ticket',
  params: ticketParams,
  query: Type.Object(jsonp),
  responses: { 200: Ticket },
});

export const createTicket = chatOpsOperation({
  name: 'create_ticket',
  scopes: ['tickets_write'],
  method: 'POST',
  path: '/tickets',
  summary: 'Puts down what somebody wrote; nobody is mailed',
  body: Type.Object({
    message: Type.String({ minLength: 1, maxLength: 200_000 }),
    requester: Type.Object({ mail: Email(), name: Type.Optional(Type.String({ maxLength: 200 })) }),
    assignee: Type.Optional(Type.Object({ id: Login })),
    source: Type.Optional(
      Type.Object({
        type: Type.Optional(oneOf('chat-window', 'mail', 'lc2')),
        url: Type.Optional(
          Type.String({ maxLength: 2000, description: 'Where the form was; only with `chat-window`' }),
        ),
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
  summary: 'Gives a ticket these tags and no others',
  params: ticketParams,
  body: Type.Object({
    tag: Type.Array(Type.String({ maxLength: 128 }), {
      maxItems: 100,
      description: 'All of them; none, or one that is empty, takes all tags away',
      examples: [['sale']],
    }),
  }),
  responses: { 200: TicketPage },
});

export const ticketOperations = [listTickets, getTicket, createTicket, setTicketTags];
