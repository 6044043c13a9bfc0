import type { ChatSummary } from '#contracts/chat/chats.ts';
import type { EventInput } from '#contracts/chat/events.ts';
import type { Form } from '#contracts/customer/forms.ts';
import { type ChatContext, typeOf } from './chat-context.ts';
import { lastThread } from './conversation.ts';
import type { MessageSender } from './message-sender.ts';
import { newId } from './outbox.ts';
import type { Sync } from './sync.ts';

export type Field = Form['fields'][number];
type Option = NonNullable<Field['options']>[number];

/** Answers by field id. */
export type Answers = Record<string, { text?: string; chosen?: string[]; comment?: string }>;

export type FormType = 'prechat' | 'postchat' | 'ticket';

const MAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const isAnswered = ({ text, chosen }: Answers[string] = {}): boolean => !!text?.trim() || !!chosen?.length;

/** Returns the key of the error phrase. */
export const validateField = (field: Field, answers: Answers): string | undefined => {
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

/** Translates default forms into the widget's language. Customized forms keep the texts their authors wrote. */
export const translate = (form: Form, t: (key: string) => string): Form => {
  const header = headers[form.id];
  if (!header) return form;
  const fields = form.fields.map((field) => ({
    ...field,
    label: t(field.type === 'header' ? header : (labels[field.type] ?? '')) || field.label,
    ...(field.comment_label ? { comment_label: t('Leave_comment') } : {}),
  }));
  return { ...form, fields };
};

/** The two options of a rating are implicit in the form. */
export const optionsOf = (field: Field, t: (key: string) => string): Option[] =>
  field.type === 'rating'
    ? [
        { id: 'good', label: t('Good') },
        { id: 'bad', label: t('Bad') },
      ]
    : (field.options ?? []);

/** Builds the `filled_form` event. */
export const fillIn = (form: Form, type: FormType, answers: Answers, t: (key: string) => string): EventInput => ({
  type: 'filled_form',
  form_id: form.id,
  form_type: type,
  fields: translate(form, t).fields.map((field) => {
    const named = { type: field.type, id: field.id, label: field.label };
    const { text, chosen = [], comment } = answers[field.id] ?? {};
    const picked = optionsOf(field, t).filter(({ id }) => chosen.includes(id));
    if (field.type === 'header') return named;
    if (field.type === 'checkbox') return { ...named, answers: picked };
    if (!field.options && field.type !== 'rating') return { ...named, answer: text?.trim() ?? '' };
    return { ...named, ...(picked[0] ? { answer: picked[0] } : {}), ...(comment?.trim() ? { comment } : {}) };
  }),
});

const textOf = (form: Form, type: Field['type'], answers: Answers): string | undefined =>
  answers[form.fields.find((field) => field.type === type)?.id ?? '']?.text?.trim() || undefined;

export const createForms = ({ core, store, t }: ChatContext, sync: Sync, sender: MessageSender) => {
  const { request } = core.connection;
  /** Idempotency key: one form creates one ticket, however often it is submitted. */
  let ticketId = newId();

  /** Sets name and email before the chat starts so that agents see them from the first message. */
  const introduce = async (form: Form, answers: Answers): Promise<void> => {
    const contact = { name: textOf(form, 'name', answers), email: textOf(form, 'email', answers) };
    if (!contact.name && !contact.email) return;
    await request('update_customer', contact).catch(() => {});
    const { customer } = store.get();
    if (customer) store.set({ customer: { ...customer, ...JSON.parse(JSON.stringify(contact)) } });
  };

  const chosenGroup = (form: Form, answers: Answers): number[] | undefined => {
    const chooser = form.fields.find(({ type }) => type === 'group_chooser');
    const option = chooser?.options?.find(({ id }) => answers[chooser.id]?.chosen?.includes(id));
    return option?.group_id === undefined ? undefined : [option.group_id];
  };

  /** Whether an earlier attempt succeeded although its response was lost. */
  const hasArrived = async (): Promise<boolean> => {
    const { chats_summary: chats } = await request<{ chats_summary: ChatSummary[] }>('list_chats', { limit: 3 });
    return chats.some(({ last_event_per_type: last }) => last.filled_form?.event.custom_id === ticketId);
  };

  const sendTicket = async (form: Form, answers: Answers): Promise<void> => {
    const event = { ...fillIn(form, 'ticket', answers, t), custom_id: ticketId };
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
      sender.setGroups(chosenGroup(form, answers));
      sender.send(fillIn(form, 'prechat', answers, t));
      core.emit('form_submitted', { type: 'prechat' });
    },
    leaveTicket: async (form: Form, answers: Answers): Promise<void> => {
      try {
        await sendTicket(form, answers);
      } catch (error) {
        if (typeOf(error) !== 'validation' || !(await hasArrived())) throw error;
      }
      ticketId = newId();
      store.set({ view: 'ticket_sent', ticketEmail: textOf(form, 'email', answers) ?? store.get().customer?.email });
      core.emit('form_submitted', { type: 'ticket' });
      await sync.read().catch(() => {});
    },
    /** Submits the post-chat form. Reports read the rating from the thread properties, so it is stored there too. */
    finish: async (form: Form, answers: Answers): Promise<void> => {
      const { conversation } = store.get();
      const rating = form.fields.find(({ type }) => type === 'rating');
      const { chosen, comment } = answers[rating?.id ?? ''] ?? {};
      if (chosen?.length) await rate(chosen[0] === 'good' ? 1 : 0, comment);
      if (form.id)
        await request('send_event', {
          chat_id: conversation!.id,
          event: { ...fillIn(form, 'postchat', answers, t), custom_id: newId() },
          attach_to_last_thread: true,
        });
      core.emit('form_submitted', { type: 'postchat' });
    },
  };
};

export type Forms = ReturnType<typeof createForms>;
