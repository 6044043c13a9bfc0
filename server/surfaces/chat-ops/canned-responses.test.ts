import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
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

const seconds = () => Math.floor(test.clock.now().getTime() / 1000);

describe('canned responses', () => {
  it('are created with tags in every bracket notation', async () => {
    const expected = {
      text: 'How can I help?',
      tags: ['help', 'hello'],
      group: 0,
      creation_date: seconds(),
      created_by: organization.owner.login,
    };
    const json = await asOwner('POST', '/canned_responses', { text: expected.text, tags: ['help', ' hello ', 'help'] });
    expect(json).toEqual({ status: 200, body: { id: 1, ...expected } });
    for (const [n, tags] of ['tags[]=help&tags[]=hello', 'tags[0]=help&tags[1]=hello'].entries())
      expect((await asOwner('POST', '/canned_responses', `text=How can I help?&${tags}`)).body).toEqual({
        id: n + 2,
        ...expected,
      });
    expect((await asOwner('POST', '/canned_responses', 'text=Hi&tags=one')).body.tags).toEqual(['one']);
  });

  it('are listed by group, which defaults to 0', async () => {
    await asOwner('POST', '/canned_responses', { text: 'Zero', tags: ['a'] });
    await asOwner('POST', '/canned_responses', { text: 'Three', tags: ['a'], group: 3 });
    const texts = async (url: string) =>
      (await caller(test, agent)('GET', url)).body.map(({ text }: { text: string }) => text);
    expect(await texts('/canned_responses')).toEqual(['Zero']);
    expect(await texts('/canned_responses?group=3')).toEqual(['Three']);
    expect((await asOwner('GET', '/canned_responses?group=9')).status).toBe(404);
    expect((await caller(test, agent)('GET', '/canned_responses/2')).body).toMatchObject({ text: 'Three', group: 3 });
  });

  it.each(['PUT', 'POST'] as const)('are updated by %s, with author and time', async (method) => {
    const { body } = await asOwner('POST', '/canned_responses', { text: 'Hi', tags: ['a'] });
    expect((await asOwner(method, '/canned_responses/1', {})).body).toEqual(body);
    test.clock.advance(5000);
    const administrator = await buildAgent(organization, { permission: 'administrator' });
    const changed = { ...body, text: 'Hello', modification_date: seconds(), modified_by: administrator.login };
    expect((await caller(test, administrator)(method, '/canned_responses/1', 'text=Hello')).body).toEqual(changed);
    expect((await asOwner(method, '/canned_responses/1', 'tags[]=b')).body).toMatchObject({
      text: 'Hello',
      tags: ['b'],
    });
  });

  it('are deleted, and their id is not reused', async () => {
    await asOwner('POST', '/canned_responses', { text: 'Hi', tags: ['a'] });
    expect((await asOwner('DELETE', '/canned_responses/1')).body).toEqual({
      result: 'Canned response removed successfully',
    });
    for (const method of ['GET', 'DELETE', 'PUT'] as const)
      expect((await asOwner(method, '/canned_responses/1')).status).toBe(404);
    expect((await asOwner('POST', '/canned_responses', { text: 'Hi', tags: ['a'] })).body.id).toBe(2);
  });

  it.each([
    ['no text', { tags: ['a'] }],
    ['a blank text', { text: ' ', tags: ['a'] }],
    ['no tags', { text: 'Hi' }],
    ['a blank tag', { text: 'Hi', tags: [' '] }],
    ['a long tag', { text: 'Hi', tags: ['x'.repeat(101)] }],
    ['101 tags', { text: 'Hi', tags: Array.from({ length: 101 }, (_, n) => `t${n}`) }],
    ['a long text', { text: 'x'.repeat(16_385), tags: ['a'] }],
  ])('reject %s', async (_, body) => {
    expect((await asOwner('POST', '/canned_responses', body)).status).toBe(400);
  });

  it('can be changed only by administrators of the account', async () => {
    await asOwner('POST', '/canned_responses', { text: 'x'.repeat(16_384), tags: ['a'] });
    const asAgent = caller(test, agent);
    expect((await asAgent('POST', '/canned_responses', { text: 'Hi', tags: ['a'] })).status).toBe(403);
    expect((await asAgent('PUT', '/canned_responses/1', { text: 'Hi' })).status).toBe(403);
    expect((await asAgent('DELETE', '/canned_responses/1')).status).toBe(403);
    const other = caller(test, (await buildOrganization(test)).owner);
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await other(method, '/canned_responses/1')).status).toBe(404);
    expect((await asOwner('POST', '/canned_responses', { text: 'Hi', tags: ['a'], group: 9 })).status).toBe(404);
  });

  it('get different ids in concurrent requests', async () => {
    const add = async () => (await asOwner('POST', '/canned_responses', { text: 'Hi', tags: ['a'] })).body.id;
    expect((await Promise.all([add(), add(), add()])).toSorted()).toEqual([1, 2, 3]);
  });
});
