import { randomUUID } from 'node:crypto';
import type { AgentActor } from '#server/domain/access.ts';
import { createAgent, type NewAgent } from '#server/domain/accounts/agents/create-agent.ts';
import { createOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import { createPartner } from '#server/domain/partners/accounts/accounts.ts';
import { type OrganizationScope, openOrganizationScope, openPlatformScope } from '#server/domain/scope.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { issueAgentToken, issueCookieToken } from '#server/domain/support/customers/tokens.ts';
import type { TestApp } from '../app/start-app.ts';

/** Each test builds its own tenants, so that no cleanup is necessary and test files can run in parallel. */
export interface TestOrganization {
  id: string;
  licenseNumber: number;
  owner: TestAgent;
  /** A scope of the system actor, for test setup. */
  scope: OrganizationScope;
}

export interface TestAgent {
  login: string;
  apiKey: string;
  /** The value of an Authorization header. */
  basic: string;
}

export interface TestCustomer {
  id: string;
  token: string;
}

const withBasic = ({ login, apiKey }: { login: string; apiKey: string }): TestAgent => ({
  login,
  apiKey,
  basic: `Basic ${Buffer.from(`${login}:${apiKey}`).toString('base64')}`,
});

/** Creates an organization whose owner accepts chats unless `online` is false. */
export const buildOrganization = async ({ context }: TestApp, { online = true } = {}): Promise<TestOrganization> => {
  const system = { kind: 'system' } as const;
  const { organization, owner } = await createOrganization(openPlatformScope(context.services, system), {
    name: 'Test shop',
    owner: { login: `owner-${randomUUID()}@shop.test`, name: 'Olga Owner', password: 'a long password' },
  });
  const scope = openOrganizationScope(context.services, system, organization.id);
  if (online) await setAgentStatus(scope, { login: owner.login, status: 'accepting chats' });
  return { id: organization.id, licenseNumber: organization.licenseNumber, owner: withBasic(owner), scope };
};

export const buildAgent = async ({ scope }: TestOrganization, input: Partial<NewAgent> = {}): Promise<TestAgent> =>
  withBasic(
    await createAgent(scope, {
      login: `agent-${randomUUID()}@shop.test`,
      name: 'Alma Agent',
      password: 'a long password',
      permission: 'normal',
      ...input,
    }),
  );

export const buildGroup = async ({ scope }: TestOrganization, id: number, name = `Group ${id}`): Promise<number> => {
  await scope.insert('groups', { id, name, createdAt: scope.now() }).execute();
  return id;
};

export const buildCustomer = async ({ scope }: TestOrganization): Promise<TestCustomer> => {
  const { token, customerId } = await issueCookieToken(scope, { clientId: 'test-client' });
  return { id: customerId, token };
};

/** Issues a new token for a customer whose token has expired. */
export const renewToken = async (
  { id, owner, scope }: TestOrganization,
  customer: TestCustomer,
): Promise<TestCustomer> => {
  const actor: AgentActor = { kind: 'agent', id: owner.login, permission: 'owner', groupIds: [] };
  const asOwner = openOrganizationScope(scope.services, actor, id);
  const { token } = await issueAgentToken(asOwner, { clientId: 'test-client', customerId: customer.id });
  return { id: customer.id, token };
};

export const buildPartner = async ({ context }: TestApp): Promise<{ id: number; token: string; login: string }> => {
  const login = `partner-${randomUUID()}@partner.test`;
  const { partnerId, token } = await createPartner(openPlatformScope(context.services, { kind: 'system' }), {
    login,
    password: 'a long password',
    firstName: 'Paula',
    lastName: 'Partner',
  });
  return { id: partnerId, token, login };
};
