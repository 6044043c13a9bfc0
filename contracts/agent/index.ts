import { ChatError, chatErrorStatuses } from '../chat/error.ts';
import type { SurfaceContract } from '../operation.ts';
import { apiKeyOperations } from './api-key.ts';
import { listArchives } from './archives.ts';
import { deactivateChat, followChat, getChat, listChats, resumeChat, startChat, unfollowChat } from './chats.ts';
import {
  banCustomer,
  createCustomer,
  customerCareOperations,
  followCustomer,
  getCustomer,
  listCustomers,
  setCustomerSessionFields,
  unbanCustomer,
  unfollowCustomer,
  updateCustomer,
} from './customers.ts';
import { markEventsAsSeen, multicast, sendEvent, sendRichMessagePostback, sendTypingIndicator } from './events.ts';
import { uploadFile } from './files.ts';
import { listRoutingStatuses, logoutAgent, setRoutingStatus } from './presence.ts';
import {
  deleteChatProperties,
  deleteEventProperties,
  deleteThreadProperties,
  updateChatProperties,
  updateEventProperties,
  updateThreadProperties,
} from './properties.ts';
import { listAgentsForTransfer, listAssignments, transferChat } from './routing.ts';
import { sessionOperations } from './sessions.ts';
import { tagThread, untagThread } from './tags.ts';
import { listThreads } from './threads.ts';
import { ticketOperations } from './tickets.ts';
import { twoFactorOperations } from './two-factor.ts';
import { addUserToChat, removeUserFromChat } from './users.ts';

export const agentContract: SurfaceContract = {
  name: 'agent',
  title: 'Agent Chat Web API',
  version: '3.5',
  description: 'Operations for the agents’ console and for bots.',
  operations: [
    listChats,
    listThreads,
    getChat,
    listArchives,
    startChat,
    resumeChat,
    deactivateChat,
    followChat,
    unfollowChat,
    addUserToChat,
    removeUserFromChat,
    sendEvent,
    uploadFile,
    sendRichMessagePostback,
    sendTypingIndicator,
    markEventsAsSeen,
    updateChatProperties,
    deleteChatProperties,
    updateThreadProperties,
    deleteThreadProperties,
    updateEventProperties,
    deleteEventProperties,
    tagThread,
    untagThread,
    multicast,
    setRoutingStatus,
    listRoutingStatuses,
    logoutAgent,
    transferChat,
    listAgentsForTransfer,
    listAssignments,
    getCustomer,
    listCustomers,
    createCustomer,
    updateCustomer,
    setCustomerSessionFields,
    banCustomer,
    unbanCustomer,
    followCustomer,
    unfollowCustomer,
    ...customerCareOperations,
    ...ticketOperations,
    ...sessionOperations,
    ...apiKeyOperations,
    ...twoFactorOperations,
  ],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An agent’s API key' },
    loginAndApiKey: { type: 'http', scheme: 'basic', description: 'An agent’s login and API key' },
  },
};
