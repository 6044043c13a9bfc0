import * as chat from '../chat/properties.ts';
import { agentAction } from './operation.ts';

const common = {
  scopes: ['archives_write'],
  description:
    'An agent may set any defined property; an undefined one fails with `validation`. Values of a property whose definition was removed can still be deleted.',
} as const;

export const updateChatProperties = agentAction({ ...chat.updateChatProperties, ...common });
export const deleteChatProperties = agentAction({ ...chat.deleteChatProperties, ...common });
export const updateThreadProperties = agentAction({ ...chat.updateThreadProperties, ...common });
export const deleteThreadProperties = agentAction({ ...chat.deleteThreadProperties, ...common });
export const updateEventProperties = agentAction({ ...chat.updateEventProperties, ...common });
export const deleteEventProperties = agentAction({ ...chat.deleteEventProperties, ...common });
