import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { Empty, Nullable, oneOf } from '../values.ts';
import { agentAction } from './operation.ts';

const UserId = Type.String({ minLength: 1, maxLength: 254, description: 'An agent’s login or a customer’s id' });

const presence = {
  ignore_requester_presence: Type.Optional(
    Nullable(
      Type.Boolean({
        description: 'Default false; true lets the owner and administrators act without being in the chat',
      }),
    ),
  ),
};

export const addUserToChat = agentAction({
  name: 'add_user_to_chat',
  scopes: ['archives_write'],
  summary: 'Adds an agent to an active chat, or joins it',
  description:
    'With the visibility `agents` the agent is a silent supervisor, of whom the customer never learns. Whoever may see a chat may join it; adding somebody else needs the requester in the chat. Again with `all`, a silent supervisor becomes visible.',
  body: Type.Object({
    chat_id: ChatId,
    user_id: UserId,
    user_type: oneOf('agent', 'customer'),
    visibility: Type.Optional(Nullable(oneOf('all', 'agents'))),
    ...presence,
  }),
  responses: { 200: Empty },
});

export const removeUserFromChat = agentAction({
  name: 'remove_user_from_chat',
  scopes: ['archives_write'],
  summary: 'Takes an agent out of an active chat, or leaves it',
  description: 'A customer cannot be removed. When the agent who answers the chat leaves, another is looked for.',
  body: Type.Object({ chat_id: ChatId, user_id: UserId, user_type: oneOf('agent', 'customer'), ...presence }),
  responses: { 200: Empty },
});
