import { invalid } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { getArchivedChat } from '../../archives/get-archived-chat.ts';
import type { ArchivedChat } from '../../archives/records.ts';
import type { EventRecord } from '../../chats/records.ts';
import { DEFAULT_CUSTOMER_NAME } from '../../customers/default-name.ts';
import { withoutDeleted } from '../../groups/online.ts';
import { MAX_MESSAGE_CHARACTERS, type TicketRecord } from '../records.ts';
import { createTicket } from './create-ticket.ts';

export interface TicketFromChat {
  /** A chat of the archive. */
  threadId: string;
  subject?: string | undefined;
  /** Default the words of the chat. */
  message?: string | undefined;
  /** Default the customer's own. */
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

/** A chat of the archive that needs more work. Its customer is the requester; without an address one must be named. */
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
  if (!mail) throw invalid('requester.mail', 'is required: the customer gave no e-mail address');
  return createTicket(scope, {
    requester: { mail, name: input.requester?.name ?? customer?.name ?? undefined },
    message: input.message ?? transcriptOf(chat),
    subject: input.subject,
    assignee: input.assignee,
    groupIds: await withoutDeleted(scope, chat.groupIds),
    source: { type: 'lc2', id: chat.id },
  });
};
