import { ChatError, chatErrorStatuses } from '../chat/error.ts';
import type { SurfaceContract } from '../operation.ts';
import { getChat, listChats } from './chats.ts';
import { sendEvent } from './events.ts';
import { uploadFile } from './files.ts';

export const agentContract: SurfaceContract = {
  name: 'agent',
  title: 'Agent Chat Web API',
  version: '3.5',
  description: 'What the agents’ console and bots call.',
  operations: [listChats, getChat, sendEvent, uploadFile],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An agent’s API key' },
    loginAndApiKey: { type: 'http', scheme: 'basic', description: 'An agent’s login and its API key' },
  },
};
