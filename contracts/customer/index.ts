import { ChatError, chatErrorStatuses } from '../chat/error.ts';
import type { SurfaceContract } from '../operation.ts';
import { deactivateChat, getChat, listChats, resumeChat, startChat } from './chats.ts';
import { sendEvent } from './events.ts';
import { listThreads } from './threads.ts';

export const customerContract: SurfaceContract = {
  name: 'customer',
  title: 'Customer Chat Web API',
  version: '3.5',
  description: 'What a chat widget or a customer’s program calls.',
  operations: [listChats, listThreads, getChat, startChat, resumeChat, deactivateChat, sendEvent],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {
    customerToken: { type: 'http', scheme: 'bearer', description: 'A customer token of POST /v2/customer/token' },
  },
};
