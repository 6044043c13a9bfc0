import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import { type DomainEvent, organizationTopic, readEvent } from '#server/domain/events.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { reactions } from './index.ts';

const test = useTestApp();
let organization: TestOrganization;
let heard: DomainEvent[];
beforeAll(async () => {
  organization = await buildOrganization(test);
  await test.runDueJobs();
  test.context.ports.bus.subscribe(organizationTopic(organization.id), (text) => heard.push(readEvent(text as string)));
});
beforeEach(() => {
  heard = [];
});

const statusSet = (status: AgentStatus): DomainEvent => ({
  type: 'agent_status_set',
  organizationId: organization.id,
  agentId: organization.owner.login,
  status,
});
const mails = async () => (await test.context.ports.outbox!.list()).length;

describe('the list of reactions', () => {
  it('has at least one reaction for every event type', () => {
    for (const [type, { announce, durable }] of Object.entries(reactions))
      expect(announce === true || durable !== undefined, type).toBe(true);
  });
});

describe('an announced event', () => {
  it('is published once, after the commit', async () => {
    await organization.scope.transaction(async (tx) => {
      tx.emit(statusSet('offline'));
      await tx.from('groups').selectAll().execute();
      expect(heard).toEqual([]);
    });
    await Promise.resolve();
    expect(heard).toEqual([statusSet('offline')]);
  });

  it('is not published when the transaction is rolled back', async () => {
    const failing = organization.scope.transaction(async (tx) => {
      tx.emit(statusSet('offline'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await Promise.resolve();
    expect(heard).toEqual([]);
  });
});

describe('a durable reaction', () => {
  const scope = () => openPlatformScope(test.context.services, { kind: 'operator' });
  const input = (login: string) => ({ name: 'Shop', owner: { login, name: 'Olga', password: 'a long password' } });

  it('sends a welcome mail for a new organization', async () => {
    const before = await mails();
    await createOrganization(scope(), input('new-owner@shop.test'));
    expect(await mails()).toBe(before);
    await test.runDueJobs();
    expect(await mails()).toBe(before + 1);
  });

  it('is rolled back with its transaction', async () => {
    const before = await mails();
    const failing = scope().transaction(async (tx) => {
      await createOrganization(tx, input('ghost@shop.test'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await test.runDueJobs();
    expect(await mails()).toBe(before);
  });
});
