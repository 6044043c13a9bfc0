import { requireAgent } from '../../../access.ts';
import { DomainError, invalid, notFound } from '../../../errors.ts';
import type { ChatRef } from '../../../events.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { getChatRow } from '../read/find-chat.ts';

export interface TagInput {
  chatId: string;
  threadId: string;
  tag: string;
}

const MAX_TAGS = 100;

/**
 * Changes the tags under the chat row lock, so that concurrent changes are not lost. Returns undefined if nothing
 * changed.
 */
const changeTags = async (
  tx: Transaction<OrganizationScope>,
  { chatId, threadId }: TagInput,
  change: (tags: string[]) => string[],
): Promise<ChatRef | undefined> => {
  requireAgent(tx.actor);
  const { customerId, groupIds } = await getChatRow(tx, chatId, true);
  const thread = await tx
    .from('threads')
    .where('id', '=', threadId)
    .where('chatId', '=', chatId)
    .select('tags')
    .executeTakeFirst();
  if (!thread) throw notFound('Thread');
  const tags = change(thread.tags);
  if (tags.length > MAX_TAGS) throw new DomainError('limit_reached', 'Resource limit reached');
  if (tags.length === thread.tags.length) return undefined;
  await tx.update('threads').where('id', '=', threadId).set({ tags }).execute();
  return { organizationId: tx.organizationId, chatId, threadId, customerId, groupIds };
};

const readTag = (text: string): string => {
  const tag = text.trim();
  if (tag === '') throw invalid('tag', 'must not be empty');
  return tag;
};

/** Adding a tag twice has no effect. */
export const tagThread = (scope: OrganizationScope, input: TagInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const tag = readTag(input.tag);
    const about = await changeTags(tx, input, (tags) => (tags.includes(tag) ? tags : [...tags, tag]));
    if (about) tx.emit({ type: 'thread_tagged', ...about, tag });
  });

/** Removing a missing tag has no effect. */
export const untagThread = (scope: OrganizationScope, input: TagInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const tag = readTag(input.tag);
    const about = await changeTags(tx, input, (tags) => tags.filter((one) => one !== tag));
    if (about) tx.emit({ type: 'thread_untagged', ...about, tag });
  });
