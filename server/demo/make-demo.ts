import { randomBytes } from 'node:crypto';
import { createAgent } from '#server/domain/agents/create-agent.ts';
import { setAgentStatus } from '#server/domain/agents/set-status.ts';
import { deactivateChat } from '#server/domain/chats/deactivate-chat.ts';
import type { EventDraft } from '#server/domain/chats/records.ts';
import { sendEvent } from '#server/domain/chats/send-event.ts';
import { startChat } from '#server/domain/chats/start-chat.ts';
import { createCustomer } from '#server/domain/customers/create-customer.ts';
import { createGroup } from '#server/domain/groups/create-group.ts';
import { createOrganization } from '#server/domain/licences/organizations.ts';
import {
  type OrganizationScope,
  openOrganizationScope,
  openPlatformScope,
  type Services,
} from '#server/domain/scope.ts';
import type { Database } from '#server/storage/database.ts';
import { agents, conversations, customers } from './conversations.ts';

export interface DemoCredentials {
  organizationId: string;
  licenceNumber: number;
  login: string;
  password: string;
  apiKey: string;
}

const DAYS = 21;
const CHATS_PER_DAY = 4;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const system = { kind: 'system' } as const;

const message = (text: string): EventDraft => ({
  content: { type: 'message', text },
  visibility: 'all',
  properties: {},
});

/** Whoever writes this row first makes the demo; a second process, or a second start, leaves it alone. */
const claim = async ({ kysely }: Database): Promise<boolean> => {
  const used = await kysely.selectFrom('organizations').select('id').limit(1).executeTakeFirst();
  if (used) return false;
  const { numInsertedOrUpdatedRows } = await kysely
    .insertInto('installation')
    .values({ key: 'demo', value: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

interface Shop {
  credentials: DemoCredentials;
  scope: OrganizationScope;
}

const openShop = async (services: Services): Promise<Shop> => {
  const password = randomBytes(9).toString('base64url');
  const [owner, ...others] = agents;
  const login = (name: string): string => `${name.split(' ')[0]!.toLowerCase()}@shop.example`;
  const { organization, owner: created } = await createOrganization(openPlatformScope(services, system), {
    name: 'Demo shop',
    owner: { login: login(owner!.name), name: owner!.name, password },
  });
  const scope = openOrganizationScope(services, system, organization.id);
  const groupIds = new Map<string, number>();
  for (const name of ['Sales', 'Support']) groupIds.set(name, await createGroup(scope, { name }));
  for (const { name, jobTitle, groups } of others) {
    const ids = groups.map((group) => groupIds.get(group)!);
    await createAgent(scope, {
      login: login(name),
      name,
      jobTitle,
      permission: 'normal',
      password: randomBytes(12).toString('base64url'),
      groupIds: ids,
    });
  }
  for (const { name } of agents) await setAgentStatus(scope, { login: login(name), status: 'accepting chats' });
  const credentials = {
    organizationId: organization.id,
    licenceNumber: organization.licenceNumber,
    login: created.login,
    password,
    apiKey: created.apiKey,
  };
  return { credentials, scope };
};

/** One conversation as it would have happened, line by line, the clock moving on between them. */
const playConversation = async (
  services: Services,
  organizationId: string,
  customerId: string,
  lines: readonly string[],
  at: Date,
): Promise<void> => {
  let now = at.getTime();
  const clocked = { ...services, clock: { now: () => new Date(now) } };
  const customer = openOrganizationScope(clocked, { kind: 'customer', id: customerId }, organizationId);
  const { chatId } = await startChat(customer, { events: [message(lines[0]!)], active: true, continuous: false });
  const assigned = await customer
    .from('chatUsers')
    .where('chatId', '=', chatId)
    .where('kind', '=', 'agent')
    .select('userId')
    .executeTakeFirst();
  const agent = openOrganizationScope(
    clocked,
    { kind: 'agent', id: assigned!.userId, permission: 'normal', groupIds: [0] },
    organizationId,
  );
  for (const line of lines.slice(1)) {
    now += (line.length % 4) * 20_000 + 15_000;
    const speaks = line.startsWith('>') ? agent : customer;
    await sendEvent(speaks, { chatId, event: message(line.replace(/^> /, '')), attachToLastThread: false });
  }
  now += MINUTE_MS;
  await deactivateChat(customer, { chatId });
};

/** Three weeks of a small shop's chats, written by the same verbs that serve real ones. */
export const makeDemo = async (
  services: Services,
  database: Database,
  onBegin: () => void,
): Promise<DemoCredentials | undefined> => {
  if (!(await claim(database))) return undefined;
  onBegin();
  const { credentials, scope } = await openShop(services);
  const ids: string[] = [];
  for (const customer of customers) ids.push(await createCustomer(scope, customer));
  const today = services.clock.now().getTime();
  for (let at = 0; at < DAYS * CHATS_PER_DAY; at++) {
    const day = DAYS - Math.floor(at / CHATS_PER_DAY);
    const minute = 9 * 60 + (at % CHATS_PER_DAY) * 115 + ((at * 37) % 60);
    const started = new Date(Math.floor(today / DAY_MS - day) * DAY_MS + minute * MINUTE_MS);
    await playConversation(
      services,
      credentials.organizationId,
      ids[(at * 7) % ids.length]!,
      conversations[(at * 5) % conversations.length]!,
      started,
    );
  }
  return credentials;
};
