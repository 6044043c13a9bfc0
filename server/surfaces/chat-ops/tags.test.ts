import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { arrangeChat } from '../../testing/builders/archive.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const test = useTestApp();
let organization: TestOrganization;
let asOwner: Call;
let agent: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test);
  asOwner = caller(test, organization.owner);
  agent = await buildAgent(organization);
  await buildGroup(organization, 3);
});

const add = (tag: string, group = 0, call = asOwner) => call('POST', '/tags', { author: agent.login, tag, group });

describe('tags', () => {
  it('are created with their author, as JSON and as a form', async () => {
    const expected = {
      author: agent.login,
      creation_date: Math.floor(test.clock.now().getTime() / 1000),
      count: { inChats: 0, inTickets: 0 },
      group: 3,
    };
    expect(await add('vip', 3)).toEqual({ status: 200, body: { name: 'vip', ...expected } });
    const form = `author=${agent.login}&tag=big+deal&group=3`;
    expect((await asOwner('POST', '/tags/', form)).body).toEqual({ name: 'big deal', ...expected });
  });

  it('are listed with their number of uses, optionally of one group', async () => {
    await add('vip');
    await add('vip', 3);
    await add('unused', 3);
    await arrangeChat(test, organization, { tags: ['vip', 'other'], seconds: 1 });
    await arrangeChat(test, organization, { tags: ['vip'], groupIds: [3], seconds: 1 });
    const ticket = { message: 'Help', requester: { mail: 'ann@mail.test' } };
    const { id } = (await asOwner('POST', '/tickets', ticket)).body;
    await asOwner('PUT', `/tickets/${id}/tags`, { tag: ['vip'] });
    const counts = async (url: string) =>
      (await caller(test, agent)('GET', url)).body.map(({ name, group, count }: Record<string, unknown>) => [
        name,
        group,
        count,
      ]);
    const ofThree = [
      ['unused', 3, { inChats: 0, inTickets: 0 }],
      ['vip', 3, { inChats: 1, inTickets: 0 }],
    ];
    expect(await counts('/tags')).toEqual([['vip', 0, { inChats: 2, inTickets: 1 }], ...ofThree]);
    expect(await counts('/tags?group=3')).toEqual(ofThree);
    expect((await asOwner('GET', '/tags?group=9')).status).toBe(404);
  });

  it.each([
    ['no author', { tag: 'x', group: 0 }],
    ['an unknown author', { author: 'nobody@shop.test', tag: 'x', group: 0 }],
    ['no tag', { author: 'AGENT', group: 0 }],
    ['a blank tag', { author: 'AGENT', tag: ' ', group: 0 }],
    ['a long tag', { author: 'AGENT', tag: 'x'.repeat(101), group: 0 }],
    ['no group', { author: 'AGENT', tag: 'x' }],
  ])('reject %s', async (_, body) => {
    const author = 'author' in body ? { author: body.author.replace('AGENT', agent.login) } : {};
    expect((await asOwner('POST', '/tags', { ...body, ...author })).status).toBe(400);
  });

  it('are unique in a group, even in concurrent requests', async () => {
    expect((await add('vip', 9)).status).toBe(404);
    const statuses = (await Promise.all([add('vip'), add('vip')])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400]);
  });

  it('can be created and deleted only by the owner and administrators of the account', async () => {
    const administrator = await buildAgent(organization, { permission: 'administrator' });
    expect((await add('vip', 0, caller(test, administrator))).status).toBe(200);
    expect((await add('other', 0, caller(test, agent))).status).toBe(403);
    expect((await caller(test, agent)('DELETE', '/tags/vip?group=0')).status).toBe(403);
    const other = await buildOrganization(test);
    expect((await caller(test, other.owner)('DELETE', '/tags/vip?group=0')).status).toBe(404);
    expect((await add('x', 0, caller(test, other.owner))).status).toBe(400);
    expect((await asOwner('GET', '/tags')).body).toHaveLength(1);
  });

  it('are deleted from one group, given in the query or in a form; chats keep them', async () => {
    const { threadId } = await arrangeChat(test, organization, { tags: ['big/deal 100%'], seconds: 1 });
    const path = `/tags/${encodeURIComponent('big/deal 100%')}`;
    await add('big/deal 100%');
    await add('big/deal 100%', 3);
    expect((await asOwner('DELETE', path)).status).toBe(400);
    expect(await asOwner('DELETE', `${path}?group=3`)).toEqual({ status: 200, body: { ok: true } });
    expect((await asOwner('DELETE', `${path}?group=3`)).status).toBe(404);
    expect(await asOwner('DELETE', path, 'group=0')).toEqual({ status: 200, body: { ok: true } });
    expect((await asOwner('GET', '/tags')).body).toEqual([]);
    expect((await asOwner('GET', `/chats/${threadId}`)).body.tags).toEqual(['big/deal 100%']);
  });
});
