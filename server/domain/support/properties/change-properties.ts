import type { Properties } from '#server/storage/tables/chats.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { appendEvents } from '../chats/append/append-statement.ts';
import { checkNames, checkProperties, mergeWithinLimit } from './check-properties.ts';
import type { PropertyNames } from './definitions.ts';
import { removeProperties } from './merge.ts';
import { type OpenTarget, openTarget, type PropertyTarget } from './open-target.ts';
import { ratingMessages } from './rating.ts';
import { readableNames, readableProperties } from './readable.ts';

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Says in the chat that it was rated, also when it is closed. An event's own rating is no matter of the chat. */
const sayRating = async (
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

/** Sets the given properties and leaves the others as they are. */
export const updateProperties = async (
  scope: OrganizationScope,
  target: PropertyTarget,
  given: Properties,
): Promise<void> => {
  const definitions = await scope.services.properties.load(scope.organizationId);
  checkProperties(definitions, scope.actor, target.of, given);
  await scope.transaction(async (tx) => {
    const open = await openTarget(tx, target);
    const { properties, changed } = mergeWithinLimit(open.properties, given);
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
    await sayRating(tx, target, open, properties);
  });
};

/** Removes the named properties; names that are not there are passed over, so that a delete can be repeated. */
export const deleteProperties = async (
  scope: OrganizationScope,
  target: PropertyTarget,
  given: PropertyNames,
): Promise<void> => {
  const definitions = await scope.services.properties.load(scope.organizationId);
  checkNames(definitions, scope.actor, target.of, given);
  await scope.transaction(async (tx) => {
    const open = await openTarget(tx, target);
    const { properties, removed } = removeProperties(open.properties, given);
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
    await sayRating(tx, target, open, properties);
  });
};
