import { randomBytes } from 'node:crypto';
import type { AgentActor } from '#server/domain/access.ts';
import { createAgent } from '#server/domain/accounts/agents/create-agent.ts';
import { createOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import {
  enterOrganization,
  type OrganizationScope,
  openOrganizationScope,
  openPlatformScope,
  type PlatformScope,
  type Services,
} from '#server/domain/scope.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { startChat } from '#server/domain/support/chats/lifecycle/start-chat.ts';
import { tagThread } from '#server/domain/support/chats/lifecycle/tag-thread.ts';
import type { EventDraft } from '#server/domain/support/chats/records.ts';
import { createCustomer } from '#server/domain/support/customers/create-customer.ts';
import { createGreeting } from '#server/domain/support/greetings/manage-greetings.ts';
import { createGroup } from '#server/domain/support/groups/create-group.ts';
import { updateProperties } from '#server/domain/support/properties/change-properties.ts';
import { addSampleData, TAGS } from './add-sample-data.ts';
import { agents, conversations, customers } from './conversations.ts';

export interface DemoCredentials {
  organizationId: string;
  licenseNumber: number;
  login: string;
  password: string;
  apiKey: string;
}

export interface DemoSteps {
  onBegin(): void;
  /** Called before the transaction commits. */
  saveCredentials(credentials: DemoCredentials): void;
  /** Skips the remaining conversations. */
  signal?: AbortSignal | undefined;
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

/** The process that inserts this row creates the demo. Later starts and other processes skip it. */
const claim = async ({ db }: PlatformScope): Promise<boolean> => {
  const used = await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst();
  if (used) return false;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installation')
    .values({ key: 'demo', value: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

const loginOf = (name: string): string => `${name.split(' ')[0]!.toLowerCase()}@shop.example`;

const fillShop = async (scope: OrganizationScope): Promise<void> => {
  const groupIds = new Map<string, number>();
  for (const name of ['Sales', 'Support']) groupIds.set(name, await createGroup(scope, { name }));
  for (const { name, jobTitle, groups } of agents.slice(1)) {
    await createAgent(scope, {
      login: loginOf(name),
      name,
      jobTitle,
      permission: 'normal',
      password: randomBytes(12).toString('base64url'),
      groupIds: groups.map((group) => groupIds.get(group)!),
    });
  }
  await createGreeting(scope, {
    name: 'Browsing visitor',
    message: 'Hello! Are you looking for something in particular?',
    rules: [{ type: 'visit_time_site', operator: 'greater_or_equal', value: '15' }],
  });
  for (const { name } of agents) await setAgentStatus(scope, { login: loginOf(name), status: 'accepting chats' });
};

/** One transaction, committed only after the credentials are stored, because they cannot be recovered later. */
const openShop = (services: Services, { onBegin, saveCredentials }: DemoSteps): Promise<DemoCredentials | undefined> =>
  openPlatformScope(services, system).transaction(async (tx) => {
    if (!(await claim(tx))) return undefined;
    onBegin();
    const { name } = agents[0]!;
    const password = randomBytes(9).toString('base64url');
    const { organization, owner } = await createOrganization(tx, {
      name: 'Demo shop',
      owner: { login: loginOf(name), name, password },
    });
    // A trial would expire, and the demo with it.
    await tx.db
      .updateTable('organizations')
      .where('id', '=', organization.id)
      .set({ status: 'active', trialEndsAt: null })
      .execute();
    await tx.db
      .updateTable('installation')
      .where('key', '=', 'demo')
      .set({ value: JSON.stringify({ organizationId: organization.id }) })
      .execute();
    await fillShop(enterOrganization(tx, organization.id));
    const { id: organizationId, licenseNumber } = organization;
    const credentials = { organizationId, licenseNumber, login: owner.login, password, apiKey: owner.apiKey };
    saveCredentials(credentials);
    return credentials;
  });

/** Plays one conversation line by line and advances the clock between the lines. */
const playConversation = async (
  services: Services,
  organizationId: string,
  customerId: string,
  lines: readonly string[],
  { at, tag, rating }: { at: Date; tag: string; rating: { score: number } | undefined },
): Promise<void> => {
  let now = at.getTime();
  const servicesAtTime = { ...services, clock: { now: () => new Date(now) } };
  const customer = openOrganizationScope(servicesAtTime, { kind: 'customer', id: customerId }, organizationId);
  const { chatId, threadId } = await startChat(customer, {
    events: [message(lines[0]!)],
    active: true,
    continuous: false,
  });
  const assigned = await customer
    .from('chatUsers')
    .where('chatId', '=', chatId)
    .where('kind', '=', 'agent')
    .select('userId')
    .executeTakeFirst();
  const agent = openOrganizationScope(
    servicesAtTime,
    { kind: 'agent', id: assigned!.userId, permission: 'normal', groupIds: [0] },
    organizationId,
  );
  for (const line of lines.slice(1)) {
    now += (line.length % 4) * 20_000 + 15_000;
    const author = line.startsWith('>') ? agent : customer;
    await sendEvent(author, { chatId, event: message(line.replace(/^> /, '')), attachToLastThread: false });
  }
  now += MINUTE_MS;
  await deactivateChat(customer, { chatId });
  await tagThread(agent, { chatId, threadId, tag });
  if (rating) await updateProperties(customer, { of: 'thread', chatId, threadId }, { rating });
};

/** Every other customer rates the chat; one in ten rates it bad. */
const ratingOf = (n: number): { score: number } | undefined =>
  n % 2 === 0 ? { score: n % 20 === 10 ? 0 : 1 } : undefined;

/** Creates three weeks of chats with the same functions that serve real chats. */
export const makeDemo = async (services: Services, steps: DemoSteps): Promise<DemoCredentials | undefined> => {
  const credentials = await openShop(services, steps);
  if (!credentials) return undefined;
  const scope = openOrganizationScope(services, system, credentials.organizationId);
  const owner: AgentActor = { kind: 'agent', id: credentials.login, permission: 'owner', groupIds: [0] };
  await addSampleData(openOrganizationScope(services, owner, credentials.organizationId), credentials.login);
  const ids: string[] = [];
  for (const customer of customers) ids.push(await createCustomer(scope, customer));
  const today = services.clock.now().getTime();
  for (let at = 0; at < DAYS * CHATS_PER_DAY && !steps.signal?.aborted; at++) {
    const day = DAYS - Math.floor(at / CHATS_PER_DAY);
    const minute = 9 * 60 + (at % CHATS_PER_DAY) * 115 + ((at * 37) % 60);
    const started = new Date(Math.floor(today / DAY_MS - day) * DAY_MS + minute * MINUTE_MS);
    await playConversation(
      services,
      credentials.organizationId,
      ids[(at * 7) % ids.length]!,
      conversations[(at * 5) % conversations.length]!,
      { at: started, tag: TAGS[at % TAGS.length]!, rating: ratingOf(at) },
    );
  }
  // Only the owner accepts chats, so that new chats reach the person who tries the demo.
  for (const { name } of agents.slice(1)) await setAgentStatus(scope, { login: loginOf(name), status: 'offline' });
  return credentials;
};
