import { expect, it } from 'vitest';
import { agentContract } from '#contracts/agent/index.ts';
import { configurationContract } from '#contracts/configuration/index.ts';
import type { Operation } from '#contracts/operation.ts';
import type { Services } from '#server/domain/scope.ts';
import type { IdentifiedAgent } from '#server/domain/support/agents/sign-in/identify.ts';
import { openAgentGate } from './agent-gate.ts';

const services = { db: {}, installation: { publicUrl: () => 'https://chat.test' } } as Services;
const gate = openAgentGate({ config: { rateLimits: false }, database: { query: () => Promise.reject() }, services });
const agentOf = (licenseStatus: IdentifiedAgent['licenseStatus']): IdentifiedAgent => ({
  organizationId: 'o',
  licenseStatus,
  actor: { kind: 'agent', id: 'alma@shop.test', permission: 'owner', groupIds: [] },
});
const operations = [...agentContract.operations, ...configurationContract.operations];
const mayEnter = (agent: IdentifiedAgent, operation: Operation): boolean => {
  try {
    return gate.enter(agent, operation).organizationId === 'o';
  } catch {
    return false;
  }
};

/** Agents can always secure their own sign-in, whatever the license. */
const OWN_SAFETY =
  /^revoke_(other_)?sessions?$|_two_factor$|^renew_recovery_codes$|^reveal_api_key$|^request_email_confirmation$/;

it.each(['expired', 'blocked'] as const)('with an %s license an agent may only read', (status) => {
  const served = operations.filter((operation) => mayEnter(agentOf(status), operation)).map(({ name }) => name);
  const expected = operations
    .map(({ name }) => name)
    .filter((name) => /^(get|list)_/.test(name) || OWN_SAFETY.test(name));
  expect(served).toEqual(expected);
});

it('the reads flag of an operation decides, not its name', () => {
  const { reads: _, ...listChats } = operations.find(({ name }) => name === 'list_chats')!;
  expect(mayEnter(agentOf('expired'), listChats)).toBe(false);
  expect(mayEnter(agentOf('expired'), { ...listChats, name: 'count_chats', reads: true })).toBe(true);
  expect(mayEnter(agentOf('active'), listChats)).toBe(true);
});
