import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getArchivedChat } from '../archives/get-archived-chat.ts';
import type { ArchivedChat } from '../archives/records.ts';
import type { EventRecord } from '../chats/records.ts';
import { DEFAULT_CUSTOMER_NAME } from '../customers/default-name.ts';
import { withoutDeletedGroups } from '../groups/online.ts';
import { createTicket } from './create-ticket.ts';
import { MAX_MESSAGE_CHARACTERS, type TicketRecord } from './records.ts';

export interface TicketFromChat {
  /** An archived thread. */
  threadId: string;
  subject?: string | undefined;
  /** Default: the transcript of the chat. */
  message?: string | undefined;
  /** Default: the customer of the chat. */
  requester?: { mail?: string | undefined; name?: string | undefined } | undefined;
  assignee?: string | undefined;
}

const wordsOf = ({ content }: EventRecord): string | undefined => {
  if (content.type === 'message') return content.text;
  return content.type === 'file' ? `${content.name} ${content.url}` : undefined;
};

const transcriptOf = (chat: ArchivedChat): string => {
  const nameOf = ({ author }: EventRecord): string =>
    author.kind === 'agent'
      ? (chat.agents.find(({ login }) => login === author.id)?.name ?? author.id)
      : (chat.visitor.name ?? DEFAULT_CUSTOMER_NAME);
  const lines = chat.events.flatMap((event) => {
    const words = event.visibility === 'all' ? wordsOf(event) : undefined;
    return words === undefined ? [] : [`${nameOf(event)}: ${words}`];
  });
  return lines.join('\n').slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed() || '(the chat has no messages)';
};

/**
 * Creates a ticket from an archived chat. The customer is the requester; without an email address, one must be given.
 */
export const createTicketFromChat = async (scope: OrganizationScope, input: TicketFromChat): Promise<TicketRecord> => {
  const { chat } = await getArchivedChat(scope, { threadId: input.threadId });
  const customer = await scope
    .from('customers')
    .innerJoin('chats', (join) =>
      join
        .onRef('chats.organizationId', '=', 'customers.organizationId')
        .onRef('chats.customerId', '=', 'customers.id'),
    )
    .where('chats.id', '=', chat.chatId)
    .select(['customers.name', 'customers.email'])
    .executeTakeFirst();
  const mail = input.requester?.mail ?? customer?.email;
  if (!mail) throw invalid('requester.mail', 'is required because the customer has no email address');
  return createTicket(scope, {
    requester: { mail, name: input.requester?.name ?? customer?.name ?? undefined },
    message: input.message ?? transcriptOf(chat),
    subject: input.subject,
    assignee: input.assignee,
    groupIds: await withoutDeletedGroups(scope, chat.groupIds),
    source: { type: 'lc2', id: chat.id },
  });
};
