import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import * as chat from '../chat/event-actions.ts';
import { AgentEventInput } from '../chat/events.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { agentAction } from './operation.ts';

export const sendEvent = agentAction({
  ...chat.sendEvent(AgentEventInput),
  scopes: ['archives_write'],
  description: `With visibility \`agents\` it is a private note, which customers never see. ${chat.retryDescription}`,
});

export const sendRichMessagePostback = agentAction({
  ...chat.sendRichMessagePostback,
  scopes: ['archives_write'],
  description: 'The customer learns who pressed the button, so the agent must be visible to the customer in the chat.',
});

export const sendTypingIndicator = agentAction({
  name: 'send_typing_indicator',
  scopes: ['archives_write'],
  summary: 'Shows that the agent is typing; not stored',
  description:
    'The customer sees the indicator if the agent is visible in the chat and the visibility is not `agents`.',
  body: Type.Object({
    chat_id: ChatId,
    is_typing: Type.Boolean(),
    visibility: Type.Optional(Nullable(oneOf('all', 'agents'))),
    recipients: Type.Optional(Nullable(oneOf('all', 'agents'))),
  }),
  responses: { 200: Empty },
});

export const markEventsAsSeen = agentAction({ ...chat.markEventsAsSeen, scopes: ['archives_write'] });

const Ids = Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 254 }), { maxItems: 100 })));

export const multicast = agentAction({
  name: 'multicast',
  scopes: ['archives_write'],
  summary: 'Pushes custom content to connected agents and customers; not stored',
  body: Type.Object({
    recipients: Type.Object({
      agents: Type.Optional(
        Nullable(
          Type.Object({
            all: Type.Optional(Nullable(Type.Boolean())),
            ids: Ids,
            groups: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))),
          }),
        ),
      ),
      customers: Type.Optional(Nullable(Type.Object({ ids: Ids }))),
    }),
    content: Type.Record(Type.String(), Type.Unknown()),
    type: Type.Optional(Nullable(Type.String({ maxLength: 100, description: 'Default `lc2`' }))),
  }),
  responses: { 200: Empty },
});
