import { sql } from 'kysely';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import type { EventContent } from '../chats/records.ts';
import { isEmail } from '../forms/email.ts';
import { cleanText } from './append-event.ts';
import { asSystem, cleanSubject, openTicket } from './create-ticket.ts';
import { MAX_MESSAGE_CHARACTERS } from './records.ts';

interface FilledField {
  type?: unknown;
  label?: unknown;
  answer?: unknown;
  answers?: unknown;
}

const textOf = (answer: unknown): string => {
  if (typeof answer === 'string') return answer;
  const { label } = (answer ?? {}) as { label?: unknown };
  return typeof label === 'string' ? label : '';
};

const answerOf = ({ answer, answers }: FilledField): string =>
  cleanText(Array.isArray(answers) ? answers.map(textOf).filter(Boolean).join(', ') : textOf(answer)).trim();

const SHOWN_ELSEWHERE = ['name', 'email', 'subject', 'header'];

/** The form for visitors when all agents are offline. */
export const isTicketForm = (content: EventContent): content is Extract<EventContent, { type: 'filled_form' }> =>
  content.type === 'filled_form' && (content.formType === 'ticket' || content.formId === 'default_ticket');

const readForm = (fields: unknown[]) => {
  const filled = fields as FilledField[];
  const find = (type: string): string => {
    const field = filled.find((one) => one.type === type);
    return field ? answerOf(field) : '';
  };
  const rest = filled
    .filter(({ type }) => !SHOWN_ELSEWHERE.includes(String(type)))
    .filter((field) => answerOf(field) !== '');
  const texts = rest.filter(({ type }) => type === 'textarea');
  // A message without other answers needs no label.
  const message =
    rest.length === 1 && texts.length === 1
      ? answerOf(texts[0]!)
      : rest.map((field) => `${textOf(field.label)} ${answerOf(field)}`.trim()).join('\n');
  return { name: find('name'), email: find('email'), subject: find('subject'), message };
};

const pageOf = async (tx: OrganizationScope, customerId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ url: string }>`
    select p.url from visits v
    join visit_pages p on p.organization_id = v.organization_id and p.visit_id = v.id
    where v.organization_id = ${tx.organizationId} and v.customer_id = ${customerId}
    order by p.opened_at desc limit 1`.execute(tx.db);
  return rows[0]?.url;
};

export interface TicketForm {
  /** The event of the form; each form creates one ticket. */
  eventId: string;
  customerId: string;
  groupIds: number[];
  fields: unknown[];
}

/**
 * Creates a ticket from the form that a customer submitted while all agents were offline. Without an email address, no
 * ticket is created because it could not be answered.
 */
export const createTicketFromForm = async (
  tx: Transaction<OrganizationScope>,
  { eventId, customerId, groupIds, fields }: TicketForm,
): Promise<void> => {
  const customer = await tx.from('customers').where('id', '=', customerId).select(['name', 'email']).executeTakeFirst();
  const form = readForm(fields);
  const mail = form.email || (customer?.email ?? '');
  if (!isEmail(mail)) return;
  // Serializes concurrent submissions of the same form.
  await tx.from('customers').where('id', '=', customerId).select('id').forNoKeyUpdate().execute();
  const existing = await tx
    .from('tickets')
    .where('sourceType', '=', 'chat-window')
    .where('sourceId', '=', eventId)
    .select('id')
    .executeTakeFirst();
  if (existing) return;
  const requester = { mail, name: form.name || (customer?.name ?? '') };
  await openTicket(asSystem(tx), {
    requester,
    subject: cleanSubject(form.subject),
    groupIds,
    source: { type: 'chat-window', id: eventId, url: await pageOf(tx, customerId) },
    first: {
      author: { type: 'client', id: requester.mail, name: requester.name },
      content: {
        type: 'message',
        message: form.message.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed() || '(empty message)',
        source: 'chat-window',
      },
    },
  });
};
