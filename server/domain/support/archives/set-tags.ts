import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { findVisibleThread } from './find-visible-thread.ts';

const MAX_TAGS = 100;

const readTags = (input: string[]): string[] => {
  const tags = [...new Set(input.map((tag) => tag.trim()))];
  if (tags.includes('')) throw invalid('tag', 'must not be empty');
  if (tags.length > MAX_TAGS) throw new DomainError('limit_reached', `A chat can have at most ${MAX_TAGS} tags`);
  return tags;
};

/** Replaces the tags of a chat. The chat row is locked, so that concurrent changes are applied one after the other. */
export const setTags = async (
  scope: OrganizationScope,
  { threadId, tags: input }: { threadId: string; tags: string[] },
): Promise<void> => {
  const tags = readTags(input);
  await scope.transaction(async (tx) => {
    const { chatId, customerId, groupIds } = await findVisibleThread(tx, threadId);
    await tx.from('chats').where('id', '=', chatId).select('id').forNoKeyUpdate().execute();
    const { tags: before } = await findVisibleThread(tx, threadId);
    await tx.update('threads').where('id', '=', threadId).set({ tags }).execute();
    const about = { organizationId: tx.organizationId, chatId, threadId, customerId, groupIds };
    for (const tag of before) if (!tags.includes(tag)) tx.emit({ type: 'thread_untagged', ...about, tag });
    for (const tag of tags) if (!before.includes(tag)) tx.emit({ type: 'thread_tagged', ...about, tag });
  });
};
