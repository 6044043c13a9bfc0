import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ticket } from '#contracts/chat-ops/tickets.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { setTicketStatus } from '#server/domain/support/tickets/change-ticket.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, joinChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { connectSocket } from '#server/testing/http/connect-socket.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const test = useTestApp();
let organization: TestOrganization;
let asOwner: Call;
let agent: TestAgent;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  asOwner = caller(test, organization.owner);
  agent = await buildAgent(organization);
});

const mailsTo = async (login: string) => {
  await test.runDueJobs();
  return (await test.context.ports.outbox!.list()).map(({ mail }) => mail).filter(({ to }) => to.address === login);
};
const chatRow = (id: string) =>
  organization.scope.from('chats').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

describe('DELETE /agents/<login>', () => {
  it('deletes the agent and their credentials and notifies them by email, also with a form content type and no body', async () => {
    const response = await test.app.inject({
      method: 'DELETE',
      url: `/agents/${agent.login}/`,
      headers: { authorization: organization.owner.basic, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ result: `${agent.login} removed successfully` });
    expect((await asOwner('GET', `/agents/${agent.login}`)).status).toBe(404);
    expect((await caller(test, agent)('GET', '/agents')).status).toBe(401);
    expect((await asOwner('DELETE', `/agents/${agent.login}`)).status).toBe(404);
    const [mail, ...more] = await mailsTo(agent.login);
    expect([mail!.subject, more]).toEqual(['Your Parley account has been removed', []]);
  });

  it('reassigns the agent’s open chats and keeps its messages', async () => {
    await setAgentStatus(organization.scope, { login: agent.login, status: 'accepting chats' });
    const { chatId, threadId } = await buildChat(organization, await buildCustomer(organization), { texts: ['Hello'] });
    expect((await chatRow(chatId)).assigneeId).toBe(agent.login);
    await setAgentStatus(organization.scope, { login: organization.owner.login, status: 'accepting chats' });
    await asOwner('DELETE', `/agents/${agent.login}`);
    expect((await chatRow(chatId)).assigneeId).toBe(organization.owner.login);
    const { body } = await asOwner('GET', `/chats/${threadId}`);
    expect(body.agents.map(({ email }: { email: string }) => email)).toContain(agent.login);
  });

  it('removes an offline agent from every chat', async () => {
    const { chatId } = await buildChat(organization, await buildCustomer(organization), { continuous: true });
    await joinChat(organization, agent, chatId);
    const supervisor = await buildAgent(organization);
    await joinChat(organization, supervisor, chatId, 'agents');
    for (const { login } of [agent, supervisor]) expect((await asOwner('DELETE', `/agents/${login}`)).status).toBe(200);
    expect((await chatRow(chatId)).assigneeId).toBeNull();
    const present = await organization.scope
      .from('chatUsers')
      .where('chatId', '=', chatId)
      .where('kind', '=', 'agent')
      .where('present', '=', true)
      .select('userId')
      .execute();
    expect(present).toEqual([]);
  });

  it('unassigns the agent’s open tickets and records it in them', async () => {
    const make = async (login?: string): Promise<string> =>
      (
        await asOwner('POST', '/tickets', {
          message: 'Help',
          requester: { mail: 'ann@home.test' },
          assignee: login && { id: login },
        })
      ).body.id;
    const [open, pending, solved] = [await make(agent.login), await make(agent.login), await make(agent.login)];
    const other = await make();
    await setTicketStatus(organization.scope, { ticketId: pending, status: 'pending' });
    await setTicketStatus(organization.scope, { ticketId: solved, status: 'solved' });
    test.clock.advance(1000);
    await asOwner('DELETE', `/agents/${agent.login}`);
    const { body } = await asOwner('GET', '/tickets');
    const byId = new Map<string, Ticket>(body.tickets.map((ticket: Ticket) => [ticket.id, ticket]));
    const at = Math.floor(test.clock.now().getTime() / 1000);
    for (const id of [open, pending]) {
      expect(byId.get(id)).toMatchObject({ modified: at });
      expect(byId.get(id)).not.toHaveProperty('assignee');
      expect(byId.get(id)!.events.at(-1)).toMatchObject({
        type: 'assignee_changed',
        author: { id: organization.owner.login },
        to: null,
      });
    }
    expect(byId.get(solved)).toMatchObject({ assignee: { id: agent.login } });
    expect(byId.get(other)!.events).toHaveLength(1);
  });

  it('closes the agent’s sockets', async () => {
    const client = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
    expect(await client.request('login', { token: agent.basic, away: true })).toMatchObject({ success: true });
    await asOwner('DELETE', `/agents/${agent.login}`);
    expect(await client.closed).toBe(1008);
  });

  it('rejects deleting the owner, and requires an administrator', async () => {
    const administrator = await buildAgent(organization, { permission: 'administrator' });
    expect((await caller(test, administrator)('DELETE', `/agents/${organization.owner.login}`)).status).toBe(403);
    expect((await asOwner('DELETE', `/agents/${organization.owner.login}`)).status).toBe(403);
    expect((await caller(test, agent)('DELETE', `/agents/${administrator.login}`)).status).toBe(403);
    expect((await caller(test, agent)('DELETE', `/agents/${agent.login}`)).status).toBe(403);
    const other = await buildOrganization(test);
    expect((await caller(test, other.owner)('DELETE', `/agents/${agent.login}`)).status).toBe(404);
    expect((await caller(test, administrator)('DELETE', `/agents/${administrator.login}`)).status).toBe(200);
  });

  it('succeeds only once in concurrent requests', async () => {
    const remove = () => asOwner('DELETE', `/agents/${agent.login}`);
    const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 404]);
  });

  it('allows the login to be used again by a new agent', async () => {
    await asOwner('PUT', `/agents/${agent.login}`, { max_chats_count: 1, job_title: 'Old' });
    await asOwner('DELETE', `/agents/${agent.login}`);
    const again = await asOwner('POST', '/agents', { login: agent.login, name: 'Newcomer', password: 'x7-Qz' });
    expect(again).toMatchObject({
      status: 200,
      body: { name: 'Newcomer', job_title: 'Support Agent', max_chats_count: 6, groups: [], last_logout: 0 },
    });
    expect((await caller(test, agent)('GET', '/agents')).status).toBe(401);
  });

  it('limits emails to one address per hour', async () => {
    for (let n = 0; n < 5; n++) {
      expect((await asOwner('DELETE', `/agents/${agent.login}`)).status).toBe(200);
      await asOwner('POST', '/agents', { login: agent.login, name: 'Again', password: 'x7-Qz' });
    }
    expect(await mailsTo(agent.login)).toHaveLength(3);
  });
});
