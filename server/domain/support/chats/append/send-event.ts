import { inspect } from 'node:util';
import { visibleGroups } from '../../../access.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { announce, type OrganizationScope } from '../../../scope.ts';
import { checkInitialProperties } from '../../properties/check-initial.ts';
import { isTicketForm } from '../../tickets/from-form.ts';
import { getChatRow } from '../read/find-chat.ts';
import { getEventRow } from '../read/find-event.ts';
import { toEvent } from '../read/read-rows.ts';
import type { EventRecord, NewEvent } from '../records.ts';
import { checkDraft } from './check-draft.ts';
import { completeEvent } from './complete-event.ts';
import { finishEvent } from './finish-event.ts';

export interface SendEventInput {
  chatId: string;
  event: NewEvent;
  attachToLastThread: boolean;
}

/** Some clients wait for the push of their own event; a retry sends that push again, to them only. */
const pushAgain = async (
  scope: OrganizationScope,
  chatId: string,
  { eventId, threadId }: { eventId: string; threadId: string },
): Promise<void> => {
  const { customerId, groupIds } = await getChatRow(scope, chatId);
  const event = toEvent(await getEventRow(scope, { chatId, threadId, eventId }));
  const { organizationId } = scope;
  announce(scope, { type: 'event_repeated', organizationId, chatId, threadId, customerId, groupIds, event });
};

/** Runs the follow-ups of the event. If one fails, the event stays written and the scheduler repeats the follow-up. */
const finish = async (scope: OrganizationScope, { threadId, number }: EventRecord): Promise<void> => {
  try {
    await finishEvent(scope, { threadId, number });
  } catch (error) {
    process.emitWarning('event follow-up failed: the scheduler will repeat it', { detail: inspect(error) });
  }
};

/** Appends one event. A repeated `customId` of the same author returns the id of the first event and writes nothing. */
export const sendEvent = async (scope: OrganizationScope, input: SendEventInput): Promise<{ eventId: string }> => {
  const { actor, organizationId } = scope;
  const { content } = input.event;
  if (actor.kind !== 'customer' && actor.kind !== 'agent')
    throw new DomainError('forbidden', 'Only customers and agents can send events');
  // Nothing is awaited before the lane, so that two events sent without waiting keep their order.
  checkInitialProperties(scope.services.support.properties.get(organizationId), actor, { events: [input.event] });
  const event = completeEvent(scope, input.event);
  const draft = event instanceof Promise ? event.then((one) => checkDraft(actor, one)) : checkDraft(actor, event);
  const result = await scope.services.support.appendLane.append({
    organizationId,
    chatId: input.chatId,
    author: { kind: actor.kind, id: actor.id },
    groupIds: actor.kind === 'agent' ? visibleGroups(actor) : undefined,
    draft,
    attachToLastThread: input.attachToLastThread,
    at: scope.now(),
    takesOver: actor.kind === 'agent',
    opensTicket: actor.kind === 'customer' && content.type !== 'file' && isTicketForm(content),
    cause: scope.cause,
  });
  switch (result.outcome) {
    case 'appended':
      if (result.hasFollowUp) await finish(scope, result.event);
      return { eventId: result.event.id };
    case 'repeated':
      if (scope.cause) await pushAgain(scope, input.chatId, result);
      return { eventId: result.eventId };
    case 'inactive':
      throw new DomainError('chat_inactive', 'No active chat thread');
    case 'anonymized':
      throw new DomainError('chat_anonymized', 'Chat anonymized');
    default:
      throw notFound('Chat');
  }
};
