import type { SurfaceContract } from '../operation.ts';
import { agentOperations } from './agents.ts';
import { cannedResponseOperations } from './canned-responses.ts';
import { chatOperations } from './chats.ts';
import { ChatOpsError, chatOpsErrorStatuses } from './error.ts';
import { goalOperations } from './goals.ts';
import { greetingOperations } from './greetings.ts';
import { groupOperations } from './groups.ts';
import { reportOperations } from './reports.ts';
import { ticketReportOperations } from './reports-tickets.ts';
import { statusOperations } from './status.ts';
import { tagOperations } from './tags.ts';
import { ticketOperations } from './tickets.ts';
import { visitorChatOperations } from './visitor-chat.ts';
import { visitorOperations } from './visitors.ts';
import { webhookOperations } from './webhooks.ts';

export const chatOpsContract: SurfaceContract = {
  name: 'chat-ops',
  title: 'Chat Operations REST API',
  version: '2',
  description: 'Operations for an account’s back office. Requests may send the header `X-API-Version: 2`.',
  operations: [
    ...agentOperations,
    ...groupOperations,
    ...cannedResponseOperations,
    ...goalOperations,
    ...greetingOperations,
    ...tagOperations,
    ...statusOperations,
    ...webhookOperations,
    ...chatOperations,
    ...reportOperations,
    ...ticketReportOperations,
    ...ticketOperations,
    ...visitorOperations,
    ...visitorChatOperations,
  ],
  error: ChatOpsError,
  errors: chatOpsErrorStatuses,
  security: {
    apiKey: { type: 'http', scheme: 'basic', description: 'An agent’s login and API key' },
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'An agent’s API key or an OAuth access token',
    },
  },
};
