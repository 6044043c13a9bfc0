import type { Properties } from '#server/storage/tables/chats.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { appendEvents } from '../chats/append/append-statement.ts';
import { checkNames, checkProperties, mergeWithinLimit } from './check-properties.ts';
import type { PropertyNames } from './definitions.ts';
import { removeProperties } from './merge.ts';
import { loadPropertyTarget, type OpenTarget, type PropertyTarget } from './open-target.ts';
import { ratingMessages } from './rating.ts';
import { readableNames, readableProperties } from './readable.ts';

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/**
 * Adds a system message about the rating to the chat, even if it is closed. Ratings of single events are not announced.
 */
const announceRating = async (
  tx: Transaction<OrganizationScope>,
  { of }: PropertyTarget,
  { properties: before, about }: OpenTarget,
  after: Properties,
): Promise<void> => {
  const messages = of === 'event' ? [] : ratingMessages(before, after);
  if (messages.length === 0) return;
  const { organizationId, chatId } = about;
  const results = await appendEvents(
    tx.executor,
    messages.map((content) => ({
      organizationId,
      chatId,
      author: { kind: 'system' },
      draft: { content, visibility: 'all', properties: {} },
      attachToLastThread: true,
      at: tx.now(),
    })),
  );
  for (const result of results) {
    if (result.outcome !== 'appended') continue;
    tx.emit({ type: 'event_sent', ...about, threadId: result.event.threadId, event: result.event });
  }
};

/** Sets these properties and leaves the others unchanged. */
export const updateProperties = async (
  scope: OrganizationScope,
  target: PropertyTarget,
  input: Properties,
): Promise<void> => {
  const definitions = await scope.services.support.properties.load(scope.organizationId);
  checkProperties(definitions, scope.actor, target.of, input);
  await scope.transaction(async (tx) => {
    const open = await loadPropertyTarget(tx, target);
    const { properties, changed } = mergeWithinLimit(open.properties, input);
    if (isEmpty(changed)) return;
    await open.save(properties);
    const shown = readableProperties(definitions, 'customer', target.of, changed);
    const news = {
      ...open.about,
      properties: changed,
      visibleToCustomer: open.visibility === 'all' && !isEmpty(shown),
    };
    if (target.of === 'event') tx.emit({ type: 'event_properties_updated', ...news, eventId: target.eventId });
    else tx.emit({ type: `${target.of}_properties_updated`, ...news });
    await announceRating(tx, target, open, properties);
  });
};

/** Deletes these properties. Missing names are ignored, so that a delete can be repeated. */
export const deleteProperties = async (
  scope: OrganizationScope,
  target: PropertyTarget,
  input: PropertyNames,
): Promise<void> => {
  const definitions = await scope.services.support.properties.load(scope.organizationId);
  checkNames(definitions, scope.actor, target.of, input);
  await scope.transaction(async (tx) => {
    const open = await loadPropertyTarget(tx, target);
    const { properties, removed } = removeProperties(open.properties, input);
    if (isEmpty(removed)) return;
    await open.save(properties);
    const shown = readableNames(definitions, 'customer', target.of, removed);
    const news = {
      ...open.about,
      names: removed,
      visibleToCustomer: open.visibility === 'all' && !isEmpty(shown),
    };
    if (target.of === 'event') tx.emit({ type: 'event_properties_deleted', ...news, eventId: target.eventId });
    else tx.emit({ type: `${target.of}_properties_deleted`, ...news });
    await announceRating(tx, target, open, properties);
  });
};
