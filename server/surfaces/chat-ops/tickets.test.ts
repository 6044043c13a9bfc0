import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { asConsoleAgent, headersOf } from '../../testing/builders/archive.ts';

const test = useTestApp();
let organization: TestOrganization;
let alma: TestAgent;

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildGroup(organization, 3, 'Sales');
  alma = await buildAgent(organization);
});

const FORM = 'application/x-www-form-urlencoded';

const call = async (
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: string | object,
  agent: TestAgent = organization.owner,
) => {
  const response = await test.app.inject({
    method,
    url,
    headers: {
      ...headersOf(agent),
      ...(typeof payload === 'string' ? { 'content-type': FORM } : {}),
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, body: response.json() };
};

const now = () => Math.floor(test.clock.now().getTime() / 1000);

describe('POST /tickets', () => {
  it('requires a message and an email address, and has defaults for the rest', async () => {
    const { status, body } = await call('POST', '/tickets', 'message=It+broke&requester[mail]=ann@home.test');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[A-Z0-9]{10}$/),
      subject: '(no subject)',
      status: 'open',
      requester: { mail: 'ann@home.test', name: '' },
      groups: [0],
      source: { type: 'lc2' },
      date: now(),
      modified: now(),
      opened: [{ from: now() }],
      firstResponse: {},
      rate: 'not_rated',
      tags: [],
      events: [
        {
          type: 'message',
          author: { id: 'ann@home.test', name: '', type: 'client' },
          date: now(),
          is_private: false,
          message: 'It broke',
          source: { type: 'lc2' },
        },
      ],
    });
    expect((await call('GET', `/tickets/${body.id}`)).body).toEqual(body);
    expect((await call('GET', `/tickets/${body.id}/`)).status).toBe(200);
    await test.runDueJobs();
    const mails = await test.context.ports.outbox!.list();
    expect(mails.filter(({ mail }) => mail.to.address === 'ann@home.test')).toEqual([]);
  });

  it('accepts every argument, as a form or as JSON', async () => {
    const form = [
      'message=Where+is+it',
      'requester[mail]=ben@home.test',
      'requester[name]=Ben',
      `assignee[id]=${alma.login.toUpperCase()}`,
      'source[type]=chat-window',
      'source[url]=https://shop.test/help',
      'subject=Parcel',
      'group[]=3',
    ].join('&');
    const json = {
      message: 'Where is it',
      requester: { mail: 'ben@home.test', name: 'Ben' },
      assignee: { id: alma.login },
      source: { type: 'chat-window', url: 'https://shop.test/help' },
      subject: 'Parcel',
      group: [3],
    };
    for (const payload of [form, json]) {
      const { status, body } = await call('POST', '/tickets/', payload);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        subject: 'Parcel',
        requester: { mail: 'ben@home.test', name: 'Ben' },
        assignee: { id: alma.login, name: 'Alma Agent' },
        groups: [3],
        source: { type: 'chat-window', url: 'https://shop.test/help' },
      });
      expect(body.events.map(({ type }: { type: string }) => type)).toEqual(['message', 'assignee_changed']);
      expect(body.events[1].to).toEqual({ id: alma.login, name: 'Alma Agent' });
      expect(body.events[1].author.type).toBe('agent');
    }
  });

  const invalidForms = [
    '',
    'message=x',
    'requester[mail]=ann@home.test',
    'message=+&requester[mail]=ann@home.test',
    'message=x&requester[mail]=ann',
    'message=x&requester[mail]=""@home.test',
    'message=x&requester=ann@home.test',
    'message=x&requester[mail]=ann@home.test&source[type]=socialnet',
    'message=x&requester[mail]=ann@home.test&source[type]=lc2&source[url]=https://x.test/',
    'message=x&requester[mail]=ann@home.test&source[type]=chat-window&source[url]=javascript:alert(1)',
    'message=x&requester[mail]=ann@home.test&source[type]=chat-window&source[url]=%20java%0Ascript:alert(1)',
    'message=x&requester[mail]=ann@home.test&assignee[id]=nobody@shop.test',
    'message=x&requester[mail]=ann@home.test&group[]=x',
  ];
  for (const form of invalidForms)
    it(`rejects ${form || 'nothing'}`, async () => {
      expect(await call('POST', '/tickets', form)).toMatchObject({ status: 400, body: { code: 400 } });
    });

  it('rejects unknown groups', async () => {
    const { status } = await call('POST', '/tickets', 'message=x&requester[mail]=ann@home.test&group[]=9');
    expect(status).toBe(404);
  });

  it('stores text unchanged except for NUL and lone surrogates', async () => {
    const message = 'a\u202Eb <script>alert(1)</script> 👩‍💻';
    const { body } = await call('POST', '/tickets', {
      message,
      requester: { mail: 'ann@home.test' },
      subject: 'a\n b',
    });
    expect([body.events[0].message, body.subject]).toEqual([message, 'a b']);
  });
});

describe('PUT /tickets/<id>/tags', () => {
  it('replaces the tags and returns a list with the ticket', async () => {
    const { body: made } = await call('POST', '/tickets', 'message=x&requester[mail]=ann@home.test');
    const url = `/tickets/${made.id}/tags`;
    const first = await call('PUT', url, 'tag[]=a&tag[]=b&tag[]=a');
    expect(first.body).toMatchObject({ pages: 1, total: 1, tickets: [{ id: made.id, tags: ['a', 'b'] }] });
    expect((await call('PUT', url, 'tag=c')).body.tickets[0].tags).toEqual(['c']);
    expect((await call('PUT', url, { tag: ['c'] })).body.tickets[0].events).toHaveLength(3);
    const { tags, events } = (await call('PUT', url, { tag: [] })).body.tickets[0];
    expect(tags).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'tags_changed', from: ['c'], to: [], author: { type: 'agent' } });
    await call('PUT', url, 'tag[]=d&tag[]=');
    // A form can send an empty list only as one empty item.
    const lists = [await call('PUT', url, 'tag[]=d&tag[]='), await call('PUT', url, 'tag[]=')];
    expect(lists.map(({ body }) => body.tickets[0].tags)).toEqual([['d'], []]);
    for (const bad of ['', `tag[]=${'a'.repeat(129)}`]) expect((await call('PUT', url, bad)).status).toBe(400);
  });
});

describe('ticket permissions', () => {
  it('let agents of its groups, its assignee and administrators see a ticket', async () => {
    const ask = async (assignee = '') =>
      (await call('POST', '/tickets', `message=x&requester[mail]=ann@home.test&group[]=3${assignee}`)).body.id;
    const [foreign, own] = [await ask(), await ask(`&assignee[id]=${alma.login}`)];
    const sales = await asConsoleAgent(organization, await buildAgent(organization, { groupIds: [3] }));
    const here = await asConsoleAgent(organization, alma);
    expect((await call('GET', `/tickets/${foreign}`, undefined, here)).status).toBe(404);
    expect((await call('PUT', `/tickets/${foreign}/tags`, 'tag=x', here)).status).toBe(404);
    expect((await call('GET', `/tickets/${foreign}`, undefined, sales)).status).toBe(200);
    expect((await call('GET', `/tickets/${own}`, undefined, here)).status).toBe(200);
    // An API key acts with the role of its agent.
    expect((await call('GET', `/tickets/${foreign}`, undefined, alma)).status).toBe(404);
    expect((await call('GET', `/tickets/${own}`, undefined, alma)).status).toBe(200);
    const { body } = await call('GET', '/tickets?group=3', undefined, here);
    const seen = body.tickets.map(({ id }: { id: string }) => id);
    expect([seen.includes(own), seen.includes(foreign)]).toEqual([true, false]);
  });

  it('deny everything without a credential, or with one of another organization', async () => {
    const { body: made } = await call('POST', '/tickets', 'message=x&requester[mail]=ann@home.test');
    const other = await buildOrganization(test);
    expect((await call('GET', `/tickets/${made.id}`, undefined, other.owner)).status).toBe(404);
    expect((await call('PUT', `/tickets/${made.id}/tags`, 'tag=x', other.owner)).status).toBe(404);
    expect((await call('GET', '/tickets', undefined, other.owner)).body).toEqual({ pages: 0, total: 0, tickets: [] });
    const foreign = `message=x&requester[mail]=a@b.test&assignee[id]=${alma.login}`;
    expect((await call('POST', '/tickets', foreign, other.owner)).status).toBe(400);
    for (const [method, url] of [
      ['GET', '/tickets'],
      ['POST', '/tickets'],
      ['PUT', `/tickets/${made.id}/tags`],
    ] as const)
      expect((await test.app.inject({ method, url })).statusCode).toBe(401);
  });
});
