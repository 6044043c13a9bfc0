import type { SurfaceContract } from '../operation.ts';
import { getAgent, listAgents } from './agents.ts';
import { getChat, listChats } from './chats.ts';
import { ChatOpsError, chatOpsErrorStatuses } from './error.ts';

export const chatOpsContract: SurfaceContract = {
  name: 'chat-ops',
  title: 'Chat Operations REST API',
  version: '2',
  description: 'What an account’s back office calls. Requests may carry `X-API-Version: 2`.',
  operations: [listAgents, getAgent, listChats, getChat],
  error: ChatOpsError,
  errors: chatOpsErrorStatuses,
  security: {
    apiKey: { type: 'http', scheme: 'basic', description: 'An agent’s login and API key' },
    token: { type: 'http', scheme: 'bearer', description: 'An agent’s API key' },
  },
};
