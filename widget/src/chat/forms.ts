import type { ChatSummary } from '#contracts/chat/chats.ts';
import type { EventInput } from '#contracts/chat/events.ts';
import type { Form } from '#contracts/customer/forms.ts';
import { lastThread } from './conversation.ts';
import { type Desk, typeOf } from './desk.ts';
import { newId } from './outbox.ts';
import type { Sending } from './sending.ts';
import type { Sync } from './sync.ts';

export type Field = Form['fields'][number];
type Option = NonNullable<Field['options']>[number];

/** What somebody filled in, by the id of the field: a text, or the ids of options. */
export type Answers = Record<string, { text?: string; chosen?: string[]; comment?: string }>;

export type FormType = 'prechat' | 'postchat' | 'ticket';

const MAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const isAnswered = ({ text, chosen }: Answers[string] = {}): boolean => !!text?.trim() || !!chosen?.length;

/** What keeps a field from being sent, as a phrase. */
export const faultOf = (field: Field, answers: Answers): string | undefined => {
  const answer = answers[field.id];
  if (field.required && !isAnswered(answer)) return 'Required_field';
  if (field.type === 'email' && isAnswered(answer) && !MAIL.test(answer!.text!.trim())) return 'Invalid_email';
};

const labels: Partial<Record<Field['type'], string>> = {
  name: 'Name',
  email: 'Email',
  subject: 'Subject',
  textarea: 'Message',
  rating: 'Rate_this_chat',
};
const headers: Record<string, string> = {
  default_prechat: 'Prechat_header',
  default_postchat: 'Postchat_header',
  default_ticket: 'Ticket_header',
};

/** A form that nobody has changed is asked in the language of the widget; others in that of whoever wrote them. */
export const translate = (form: Form, say: (key: string) => string): Form => {
  const header = headers[form.id];
  if (!header) return form;
  const fields = form.fields.map((field) => ({
    ...field,
    label: say(field.type === 'header' ? header : (labels[field.type] ?? '')) || field.label,
    ...(field.comment_label ? { comment_label: say('Leave_comment') } : {}),
  }));
  return { ...form, fields };
};

/** A rating has two options, which the form does not list. */
export const optionsOf = (field: Field, say: (key: string) => string): Option[] =>
  field.type === 'rating'
    ? [
        { id: 'good', label: say('Good') },
        { id: 'bad', label: say('Bad') },
      ]
    : (field.options ?? []);

/** The event that carries the answers, as the API has it. */
export const fillIn = (form: Form, type: FormType, answers: Answers, say: (key: string) => string): EventInput => ({
  type: 'filled_form',
  form_id: form.id,
  form_type: type,
  fields: translate(form, say).fields.map((field) => {
    const named = { type: field.type, id: field.id, label: field.label };
    const { text, chosen = [], comment } = answers[field.id] ?? {};
    const picked = optionsOf(field, say).filter(({ id }) => chosen.includes(id));
    if (field.type === 'header') return named;
    if (field.type === 'checkbox') return { ...named, answers: picked };
    if (!field.options && field.type !== 'rating') return { ...named, answer: text?.trim() ?? '' };
    return { ...named, ...(picked[0] ? { answer: picked[0] } : {}), ...(comment?.trim() ? { comment } : {}) };
  }),
});

const textOf = (form: Form, type: Field['type'], answers: Answers): string | undefined =>
  answers[form.fields.find((field) => field.type === type)?.id ?? '']?.text?.trim() || undefined;

export const createForms = ({ core, store, say }: Desk, sync: Sync, sending: Sending) => {
  const { request } = core.connection;
  /** One form makes one ticket, however often it is sent. */
  let ticketId = newId();

  /** While a chat is open it waits anyway, so it is said before. */
  const introduce = async (form: Form, answers: Answers): Promise<void> => {
    const known = { name: textOf(form, 'name', answers), email: textOf(form, 'email', answers) };
    if (!known.name && !known.email) return;
    await request('update_customer', known).catch(() => {});
    const { customer } = store.get();
    if (customer) store.set({ customer: { ...customer, ...JSON.parse(JSON.stringify(known)) } });
  };

  const chosenGroup = (form: Form, answers: Answers): number[] | undefined => {
    const chooser = form.fields.find(({ type }) => type === 'group_chooser');
    const option = chooser?.options?.find(({ id }) => answers[chooser.id]?.chosen?.includes(id));
    return option?.group_id === undefined ? undefined : [option.group_id];
  };

  /** The answer to an earlier try may have been lost on its way. */
  const hasArrived = async (): Promise<boolean> => {
    const { chats_summary: chats } = await request<{ chats_summary: ChatSummary[] }>('list_chats', { limit: 3 });
    return chats.some(({ last_event_per_type: last }) => last.filled_form?.event.custom_id === ticketId);
  };

  const sendTicket = async (form: Form, answers: Answers): Promise<void> => {
    const event = { ...fillIn(form, 'ticket', answers, say), custom_id: ticketId };
    const chat = {
      access: { group_ids: chosenGroup(form, answers) ?? [core.options.groupId] },
      thread: { events: [event] },
    };
    const id = sync.latestChatId();
    if (await hasArrived()) return;
    await (id
      ? request('resume_chat', { chat: { id, ...chat }, active: false })
      : request('start_chat', { chat, active: false }));
  };

  const rate = async (score: number, comment?: string): Promise<void> => {
    const { conversation } = store.get();
    const thread = lastThread(conversation);
    if (!conversation || !thread) return;
    const rating = { score, ...(comment?.trim() ? { comment: comment.trim() } : {}) };
    const named = { chat_id: conversation.id, thread_id: thread.id };
    await request('update_thread_properties', { ...named, properties: { rating } });
    core.emit('rating_submitted', score === 1 ? 'good' : 'bad');
  };

  return {
    rate,
    startWith: async (form: Form, answers: Answers): Promise<void> => {
      await introduce(form, answers);
      sending.setGroups(chosenGroup(form, answers));
      sending.send(fillIn(form, 'prechat', answers, say));
      core.emit('form_submitted', { type: 'prechat' });
    },
    leaveTicket: async (form: Form, answers: Answers): Promise<void> => {
      try {
        await sendTicket(form, answers);
      } catch (error) {
        if (typeOf(error) !== 'validation' || !(await hasArrived())) throw error;
      }
      ticketId = newId();
      store.set({ view: 'ticket_sent', answeredTo: textOf(form, 'email', answers) ?? store.get().customer?.email });
      core.emit('form_submitted', { type: 'ticket' });
      await sync.read().catch(() => {});
    },
    /** After the chat: the answers, and the rating where reports look for it. */
    finish: async (form: Form, answers: Answers): Promise<void> => {
      const { conversation } = store.get();
      const rating = form.fields.find(({ type }) => type === 'rating');
      const { chosen, comment } = answers[rating?.id ?? ''] ?? {};
      if (chosen?.length) await rate(chosen[0] === 'good' ? 1 : 0, comment);
      if (form.id)
        await request('send_event', {
          chat_id: conversation!.id,
          event: { ...fillIn(form, 'postchat', answers, say), custom_id: newId() },
          attach_to_last_thread: true,
        });
      core.emit('form_submitted', { type: 'postchat' });
    },
  };
};

export type Forms = ReturnType<typeof createForms>;
