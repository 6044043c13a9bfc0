import * as contract from '#contracts/configuration/bots.ts';
import type { BodyOf } from '#contracts/operation.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import {
  type BotChange,
  createBot,
  deleteBot,
  getBot,
  listBots,
  readBotToken,
  resetBotToken,
  updateBot,
} from '#server/domain/support/agents/bots/bots.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentBot } from './present.ts';

const botRoute = route<OrganizationScope>();

const readSettings = (body: Omit<BodyOf<typeof contract.createBot>, 'name'>): BotChange => ({
  avatar: body.avatar ?? undefined,
  jobTitle: body.job_title ?? undefined,
  maxChatsCount: body.max_chats_count ?? undefined,
  groupIds: body.groups?.map(({ id }) => id),
});

export const botRoutes: Route<OrganizationScope>[] = [
  botRoute(contract.createBot, ({ body, scope }) => createBot(scope, { name: body.name, ...readSettings(body) })),
  botRoute(contract.listBots, async ({ scope }) => (await listBots(scope)).map(presentBot)),
  botRoute(contract.getBot, async ({ body, scope }) => presentBot(await getBot(scope, { id: body.id }))),
  botRoute(contract.updateBot, async ({ body, scope }) => {
    await updateBot(scope, { id: body.id, name: body.name ?? undefined, ...readSettings(body) });
    return {};
  }),
  botRoute(contract.deleteBot, async ({ body, scope }) => {
    await deleteBot(scope, { id: body.id });
    return {};
  }),
  botRoute(contract.resetBotToken, async ({ body, scope }) => ({ token: await resetBotToken(scope, { id: body.id }) })),
  botRoute(contract.issueBotToken, async ({ body, scope }) => ({
    token: await readBotToken(scope, { id: body.bot_id }),
  })),
];
