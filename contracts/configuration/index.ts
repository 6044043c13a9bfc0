import { ChatError, chatErrorStatuses } from '../chat/error.ts';
import type { SurfaceContract } from '../operation.ts';
import { createBot, deleteBot, getBot, issueBotToken, listBots, resetBotToken, updateBot } from './bots.ts';
import { formOperations } from './forms.ts';
import {
  deleteOauthClient,
  listOauthClients,
  listOauthGrants,
  registerOauthClient,
  revokeOauthGrant,
} from './oauth.ts';
import { getGroupRouting, getRoutingSettings, updateGroupRouting, updateRoutingSettings } from './routing.ts';
import {
  disableWebhook,
  enableWebhook,
  listWebhookDeliveries,
  listWebhooks,
  registerWebhook,
  replayWebhookDeliveries,
  unregisterWebhook,
} from './webhooks.ts';

import { widgetOperations } from './widget.ts';

export const configurationContract: SurfaceContract = {
  name: 'configuration',
  title: 'Configuration API',
  version: '3.5',
  description: 'Settings for an account’s owner and administrators: webhooks, bots, routing, forms and the widget.',
  operations: [
    registerWebhook,
    listWebhooks,
    unregisterWebhook,
    enableWebhook,
    disableWebhook,
    listWebhookDeliveries,
    replayWebhookDeliveries,
    createBot,
    listBots,
    getBot,
    updateBot,
    deleteBot,
    resetBotToken,
    issueBotToken,
    getGroupRouting,
    updateGroupRouting,
    getRoutingSettings,
    updateRoutingSettings,
    registerOauthClient,
    listOauthClients,
    deleteOauthClient,
    listOauthGrants,
    revokeOauthGrant,
    ...formOperations,
    ...widgetOperations,
  ],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An agent’s API key' },
    loginAndApiKey: { type: 'http', scheme: 'basic', description: 'An agent’s login and API key' },
  },
};
