import { type Static, Type } from 'typebox';
import { Email, Int32, Name, Nullable, oneOf, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';

const TicketId = Type.String({ minLength: 1, maxLength: 64 });
const Status = oneOf('open', 'pending', 'solved', 'spam');
const Source = oneOf('lc2', 'mail', 'socialnet', 'agent-app-manual', 'chat-window');
const AgentId = Type.String({ minLength: 1, maxLength: 320, description: 'A login' });
const Message = Type.String({ minLength: 1, maxLength: 200_000 });
const Files = Type.Optional(
  Nullable(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 20, description: 'URLs of uploaded files' })),
);
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 100 });

const Person = Type.Object({ id: Type.String(), name: Type.String() });
const OtherTicket = Type.Object({ id: Type.String(), subject: Type.String() });

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
    author: Type.Object({ id: Type.String(), name: Type.String(), type: oneOf('client', 'agent', 'system') }),
    created_at: Timestamp,
    is_private: Type.Boolean(),
    message: Type.Optional(Type.String()),
    html: Type.Optional(Type.String({ description: 'The sanitized HTML body of an email' })),
    source: Type.Optional(Source),
    files: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), url: Type.String(), content_type: Type.String(), size: Int32() })),
    ),
    dropped: Type.Optional(
      Type.Array(Type.String(), { description: 'Attachments that were not stored, with the reason' }),
    ),
    automatic: Type.Optional(oneOf('auto_reply', 'bounce', 'loop', 'too_many')),
    malformed: Type.Optional(
      Type.Boolean({ description: 'The email could not be parsed completely; the original is attached' }),
    ),
    mailed: Type.Optional(Type.Boolean({ description: 'Whether it was emailed to the requester' })),
    from: Type.Optional(Type.Unknown()),
    to: Type.Optional(Type.Unknown()),
    rate: Type.Optional(oneOf('good', 'bad')),
    direction: Type.Optional(oneOf('from', 'into')),
    ticket: Type.Optional(OtherTicket),
    undone: Type.Optional(Type.Boolean()),
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
    group_ids: Type.Array(Int32()),
    tags: Type.Array(Type.String()),
    source: Type.Object({ type: Source, url: Type.Optional(Type.String()), id: Type.Optional(Type.String()) }),
    rating: Type.Optional(oneOf('good', 'bad')),
    first_response: Type.Optional(Type.Object({ agent_id: Type.String(), at: Timestamp })),
    merged_into: Type.Optional(Type.String()),
    created_at: Timestamp,
    modified_at: Timestamp,
    events: Type.Array(TicketEvent),
  },
  { description: 'Ticket' },
);
export type Ticket = Static<typeof Ticket>;

const answers = { 200: Type.Object({ ticket: Ticket }) };

export const listTickets = agentAction({
  name: 'list_tickets',
  scopes: ['tickets_read'],
  reads: true,
  summary: 'Lists tickets by their last change, 25 per page',
  body: Type.Object({
    page: Type.Optional(Nullable(Type.Integer({ minimum: 1 }))),
    order: Type.Optional(Nullable(oneOf('desc', 'asc'))),
    filters: Type.Optional(
      Nullable(
        Type.Object({
          date_from: Type.Optional(Nullable(Type.String({ format: 'date', pattern: '^[12]\\d{3}-' }))),
          date_to: Type.Optional(Nullable(Type.String({ format: 'date', pattern: '^[12]\\d{3}-' }))),
          status: Type.Optional(Nullable(Status)),
          assigned: Type.Optional(Nullable(Type.Boolean())),
          assignee_id: Type.Optional(Nullable(AgentId)),
          group_id: Type.Optional(Nullable(Int32())),
          source: Type.Optional(Nullable(Source)),
          requester_mail: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 254 }))),
          tags: Type.Optional(Nullable(Tags)),
          tagged: Type.Optional(Nullable(Type.Boolean())),
          query: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
        }),
      ),
    ),
  }),
  responses: { 200: Type.Object({ tickets: Type.Array(Ticket), total: Int32(), pages: Int32() }) },
});

export const getTicket = agentAction({
  name: 'get_ticket',
  scopes: ['tickets_read'],
  reads: true,
  summary: 'Returns a ticket with its history',
  body: Type.Object({ ticket_id: TicketId }),
  responses: answers,
});

export const createTicket = agentAction({
  name: 'create_ticket',
  scopes: ['tickets_write'],
  summary: 'Creates a ticket manually or from an archived chat',
  description:
    'A manual ticket requires `requester.mail` and `message`. For a ticket from a chat they default to the customer’s email address and the transcript.',
  body: Type.Object({
    thread_id: Type.Optional(Nullable(Type.String({ maxLength: 64, description: 'An archived chat' }))),
    requester: Type.Optional(
      Nullable(
        Type.Object({
          mail: Type.Optional(Nullable(Email())),
          name: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
        }),
      ),
    ),
    subject: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    message: Type.Optional(Nullable(Message)),
    assignee_id: Type.Optional(Nullable(AgentId)),
    group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))),
  }),
  responses: answers,
});

export const replyToTicket = agentAction({
  name: 'reply_to_ticket',
  scopes: ['tickets_write'],
  summary: 'Replies to the requester by email',
  description:
    'Limited to 30 replies per hour and recipient and 1,000 per hour and account; beyond that, fails with `too_many_requests`.',
  body: Type.Object({ ticket_id: TicketId, message: Message, files: Files, status: Type.Optional(Nullable(Status)) }),
  responses: answers,
});

export const addTicketNote = agentAction({
  name: 'add_ticket_note',
  scopes: ['tickets_write'],
  summary: 'Adds a note that only agents can read',
  body: Type.Object({ ticket_id: TicketId, message: Message, files: Files }),
  responses: answers,
});

export const assignTicket = agentAction({
  name: 'assign_ticket',
  scopes: ['tickets_write'],
  summary: 'Assigns a ticket to an agent, or unassigns it with `null`',
  body: Type.Object({ ticket_id: TicketId, assignee_id: Nullable(AgentId) }),
  responses: answers,
});

export const updateTicket = agentAction({
  name: 'update_ticket',
  scopes: ['tickets_write'],
  summary: 'Updates the status, subject, groups or tags of a ticket',
  body: Type.Object({
    ticket_id: TicketId,
    status: Type.Optional(Nullable(Status)),
    subject: Type.Optional(Nullable(Name({ maxLength: 500 }))),
    group_ids: Type.Optional(Nullable(Type.Array(Int32(), { minItems: 1, maxItems: 100 }))),
    tags: Type.Optional(Nullable(Tags)),
  }),
  responses: answers,
});

export const mergeTickets = agentAction({
  name: 'merge_tickets',
  scopes: ['tickets_write'],
  summary: 'Merges two tickets and returns the remaining one',
  body: Type.Object({ ticket_id: TicketId, into_ticket_id: TicketId }),
  responses: answers,
});

export const undoTicketMerge = agentAction({
  name: 'undo_ticket_merge',
  scopes: ['tickets_write'],
  summary: 'Undoes a merge and returns the restored ticket',
  body: Type.Object({ ticket_id: TicketId }),
  responses: answers,
});

const MailSettings = Type.Object({
  numbered_address: Type.Optional(Type.String({ description: 'At the domain of this installation' })),
  own_address: Type.Optional(Type.String({ description: 'The address from which the account’s mail server forwards' })),
  unconfirmed_address: Type.Optional(Type.String({ description: 'Waits for `confirm_ticket_mail`' })),
});

export const getTicketMail = agentAction({
  name: 'get_ticket_mail',
  scopes: ['tickets_read'],
  reads: true,
  summary: 'Returns the email addresses that create tickets',
  body: Type.Object({}),
  responses: { 200: MailSettings },
});

export const setTicketMail = agentAction({
  name: 'set_ticket_mail',
  scopes: ['tickets_write'],
  summary: 'Claims a support address, or removes it with `null`; administrators only',
  description:
    'A code is mailed to the address, at most three times per hour. The address is used once `confirm_ticket_mail` was called with the code; until then the previous one stays.',
  body: Type.Object({ own_address: Nullable(Email()) }),
  responses: { 200: MailSettings },
});

export const confirmTicketMail = agentAction({
  name: 'confirm_ticket_mail',
  scopes: ['tickets_write'],
  summary: 'Confirms the support address with the code that was mailed to it; administrators only',
  description: 'Attempts are limited, then one per minute. Not available over a socket.',
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) }),
  responses: { 200: MailSettings },
});

export const ticketOperations = [
  listTickets,
  getTicket,
  createTicket,
  replyToTicket,
  addTicketNote,
  assignTicket,
  updateTicket,
  mergeTickets,
  undoTicketMerge,
  getTicketMail,
  setTicketMail,
  confirmTicketMail,
];
