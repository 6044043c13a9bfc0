import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { Empty, Nullable, oneOf } from '../values.ts';
import { agentAction } from './operation.ts';

const UserId = Type.String({ minLength: 1, maxLength: 254, description: 'An agent’s login or a customer’s id' });

const presence = {
  ignore_requester_presence: Type.Optional(
    Nullable(
      Type.Boolean({
        description: 'Default false; true lets the owner and administrators act on a chat they do not take part in',
      }),
    ),
  ),
};

export const addUserToChat = agentAction({
  name: 'add_user_to_chat',
  scopes: ['archives_write'],
  summary: 'Adds an agent to an active chat',
  description:
    'Any agent with access to a chat may join it; adding another agent requires the requester to be in the chat. With visibility `agents` the agent supervises the chat invisibly to the customer. Adding a supervisor again with `all` makes the agent visible.',
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
  summary: 'Removes an agent from an active chat',
  description: 'A customer cannot be removed. If the assigned agent leaves, the chat is assigned to another one.',
  body: Type.Object({ chat_id: ChatId, user_id: UserId, user_type: oneOf('agent', 'customer'), ...presence }),
  responses: { 200: Empty },
});
