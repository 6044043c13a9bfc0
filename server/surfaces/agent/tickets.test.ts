import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { deleteGroup } from '#server/domain/support/groups/delete-group.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { callAs } from '#server/testing/http/call-customer.ts';

let test: TestApp;
let organization: TestOrganization;
let alma: TestAgent;
let call: ReturnType<typeof callAsAgent>;

beforeAll(async () => {
  test = await startTestApp({ config: { mailInDomain: 'in.parley.test' } });
  organization = await buildOrganization(test);
  await buildGroup(organization, 3, 'Sales');
  alma = await buildAgent(organization);
  call = callAsAgent(test);
});
afterAll(() => test[Symbol.asyncDispose]());

const open = async (mail = 'ann@home.test', subject = 'Lamp') =>
  (await call(alma, 'create_ticket', { requester: { mail, name: 'Ann' }, message: `about ${subject}`, subject })).body
    .ticket;

const mailsTo = async (address: string) =>
  (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === address).map(({ mail }) => mail);

const textsOf = ({ events }: { events: { message?: string }[] }) =>
  events.flatMap(({ message }) => (message === undefined ? [] : [message]));

describe('an agent', () => {
  it('creates a ticket manually', async () => {
    const ticket = await open();
    expect(ticket).toMatchObject({ status: 'open', source: { type: 'agent-app-manual' }, group_ids: [0], tags: [] });
    expect((await call(alma, 'get_ticket', { ticket_id: ticket.id })).body.ticket).toEqual(ticket);
    expect((await call(alma, 'create_ticket', { message: 'x' })).status).toBe(400);
    expect((await call(alma, 'create_ticket', { requester: { mail: 'a@b.test' } })).status).toBe(400);
  });

  it('adds notes that are never emailed', async () => {
    const { id } = await open('note@home.test');
    const { body } = await call(alma, 'add_ticket_note', { ticket_id: id, message: 'a secret' });
    expect(body.ticket.events.at(-1)).toMatchObject({
      message: 'a secret',
      is_private: true,
      author: { type: 'agent' },
    });
    expect(body.ticket.first_response).toBeUndefined();
    await test.runDueJobs();
    expect(await mailsTo('note@home.test')).toEqual([]);
  });

  it('emails one address at most thirty times an hour across all tickets', async () => {
    const tickets = [await open('flood@home.test'), await open('FLOOD@home.test')];
    const reply = (n: number) => call(alma, 'reply_to_ticket', { ticket_id: tickets[n % 2].id, message: `n ${n}` });
    for (let n = 0; n < 30; n++) expect((await reply(n)).status).toBe(200);
    const refused = await reply(30);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect((await call(alma, 'add_ticket_note', { ticket_id: tickets[0].id, message: 'a note' })).status).toBe(200);
    const other = await open('calm@home.test');
    expect((await call(alma, 'reply_to_ticket', { ticket_id: other.id, message: 'Hi' })).status).toBe(200);
    test.clock.advance(3_600_000);
    expect((await reply(31)).status).toBe(200);
    await test.runDueJobs();
    expect(await mailsTo('flood@home.test')).toHaveLength(15);
  });

  it('emails at most a thousand times an hour per account', async () => {
    const busy = await buildOrganization(test);
    const opened = await call(busy.owner, 'create_ticket', { requester: { mail: 'x@home.test' }, message: 'x' });
    const { id: ticketId } = opened.body.ticket;
    const at = { createdAt: test.clock.now(), authorType: 'agent' as const, authorId: 'a', authorName: 'A' };
    const content = JSON.stringify({ message: 'x', mailed: true });
    const sent = (count: number) =>
      Array.from({ length: count }, () => ({ ticketId, type: 'message' as const, content, ...at }));
    const others = await call(busy.owner, 'create_ticket', { requester: { mail: 'y@home.test' }, message: 'x' });
    const reply = () => call(busy.owner, 'reply_to_ticket', { ticket_id: others.body.ticket.id, message: 'Hi' });
    await busy.scope.insert('ticketEvents', sent(999)).execute();
    expect((await reply()).status).toBe(200);
    expect((await reply()).status).toBe(429);
  });

  it('changes status, subject, groups, tags and assignee, and records each change as an event', async () => {
    const { id } = await open();
    await call(alma, 'update_ticket', {
      ticket_id: id,
      status: 'pending',
      subject: 'New',
      tags: ['a'],
      group_ids: [3],
    });
    const { body } = await call(organization.owner, 'assign_ticket', { ticket_id: id, assignee_id: alma.login });
    expect(body.ticket).toMatchObject({ status: 'pending', subject: 'New', tags: ['a'], group_ids: [3] });
    expect(body.ticket.events.map(({ type }: { type: string }) => type)).toEqual([
      ...['message', 'subject_changed', 'tags_changed', 'status_changed', 'group_changed', 'assignee_changed'],
    ]);
    const again = await call(alma, 'assign_ticket', { ticket_id: id, assignee_id: alma.login });
    expect(again.body.ticket.events).toHaveLength(6);
    const unassigned = await call(alma, 'assign_ticket', { ticket_id: id, assignee_id: null });
    expect(unassigned.body.ticket).not.toHaveProperty('assignee');
    // The ticket is neither in the agent's groups nor assigned to the agent.
    expect((await call(alma, 'get_ticket', { ticket_id: id })).status).toBe(404);
  });

  it('changes everything or nothing', async () => {
    const { id } = await open();
    const update = { ticket_id: id, status: 'solved', group_ids: [99] };
    expect((await call(alma, 'update_ticket', update)).status).toBe(404);
    expect((await call(alma, 'get_ticket', { ticket_id: id })).body.ticket.status).toBe('open');
  });

  it('lists with filters', async () => {
    const { id } = await open('filter@home.test', 'Findable');
    const { body } = await call(alma, 'list_tickets', {
      filters: { requester_mail: 'FILTER@home.test', query: 'finda' },
    });
    expect(body).toMatchObject({ total: 1, pages: 1, tickets: [{ id }] });
  });

  it('creates a ticket from an archived chat without private notes', async () => {
    const customer = await buildCustomer(organization);
    const asCustomer = callAs(test, organization, customer);
    const started = await asCustomer('start_chat', {
      chat: { thread: { events: [{ type: 'message', text: 'My lamp is dark', recipients: 'all' }] } },
    });
    const { chat_id, thread_id } = started.body;
    const event = (text: string, visibility: string) => ({ chat_id, event: { type: 'message', text, visibility } });
    await call(organization.owner, 'send_event', event('We look', 'all'));
    await call(organization.owner, 'send_event', event('between us', 'agents'));
    await asCustomer('deactivate_chat', { id: chat_id });
    expect((await call(organization.owner, 'create_ticket', { thread_id })).status).toBe(400);
    await asCustomer('update_customer', { name: 'Cleo', email: 'cleo@home.test' });
    const { body } = await call(organization.owner, 'create_ticket', { thread_id, subject: 'Dark' });
    expect(body.ticket).toMatchObject({
      subject: 'Dark',
      requester: { mail: 'cleo@home.test', name: 'Cleo' },
      source: { type: 'lc2', id: thread_id },
    });
    expect(textsOf(body.ticket)).toEqual(['Cleo: My lamp is dark\nOlga Owner: We look']);
  });

  it('creates a ticket in the group of all agents if the chat’s group was deleted', async () => {
    const groupId = await buildGroup(organization, 8);
    const customer = await buildCustomer(organization);
    const { chatId, threadId } = await buildChat(organization, customer, { groupIds: [groupId], continuous: true });
    await deactivateChat(customerScope(organization, customer), { chatId });
    await deleteGroup(organization.scope, { id: groupId });
    const input = { thread_id: threadId, requester: { mail: 'x@home.test' } };
    expect((await call(organization.owner, 'create_ticket', input)).body).toMatchObject({ ticket: { group_ids: [0] } });
  });
});

describe('a visitor', () => {
  const form = (message: string, email = 'off@home.test') => ({
    type: 'filled_form',
    form_id: 'default_ticket',
    form_type: 'ticket',
    fields: [
      { type: 'name', id: 'name', label: 'Name:', answer: 'Otto' },
      { type: 'email', id: 'email', label: 'E-mail:', answer: email },
      { type: 'subject', id: 'subject', label: 'Subject:', answer: 'At night' },
      { type: 'textarea', id: 'message', label: 'Message:', answer: message },
    ],
  });
  const find = async (query: string) =>
    (await call(organization.owner, 'list_tickets', { filters: { source: 'chat-window', query } })).body.tickets;

  it('submitting the offline form creates one ticket', async () => {
    const customer = await buildCustomer(organization);
    const asCustomer = callAs(test, organization, customer);
    await asCustomer('start_chat', { active: false, chat: { thread: { events: [form('nobody there?')] } } });
    const found = await find('nobody there?');
    expect(found).toMatchObject([
      {
        subject: 'At night',
        requester: { mail: 'off@home.test', name: 'Otto' },
        source: { type: 'chat-window' },
        events: [{ message: 'nobody there?' }],
      },
    ]);
    expect(found).toHaveLength(1);
  });

  it('submitting the form again in a chat creates no second ticket', async () => {
    const customer = await buildCustomer(organization);
    const asCustomer = callAs(test, organization, customer);
    const { chat_id } = (await asCustomer('start_chat', {})).body;
    const event = { chat_id, event: { ...form('sent twice'), custom_id: 'once' } };
    const answers = await Promise.all([1, 2, 3].map(() => asCustomer('send_event', event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await find('sent twice')).toHaveLength(1);
  });
});

describe('two tickets', () => {
  it('can be merged and separated again with the messages since', async () => {
    const [one, two] = [await open('one@home.test', 'First'), await open('two@home.test', 'Second')];
    await call(alma, 'reply_to_ticket', { ticket_id: one.id, message: 'to one' });
    test.clock.advance(1000);
    const merged = await call(alma, 'merge_tickets', { ticket_id: one.id, into_ticket_id: two.id });
    expect(merged.body.ticket.id).toBe(two.id);
    expect(textsOf(merged.body.ticket).toSorted()).toEqual(['about First', 'about Second', 'to one']);
    const { body: away } = await call(alma, 'get_ticket', { ticket_id: one.id });
    expect(away.ticket).toMatchObject({ merged_into: two.id });
    expect(textsOf(away.ticket)).toEqual([]);
    for (const [operation, rest] of [
      ['reply_to_ticket', { message: 'x' }],
      ['add_ticket_note', { message: 'x' }],
      ['update_ticket', { status: 'spam' }],
      ['merge_tickets', { into_ticket_id: two.id }],
    ] as const)
      expect((await call(alma, operation, { ticket_id: one.id, ...rest })).status).toBe(400);
    expect((await call(alma, 'merge_tickets', { ticket_id: two.id, into_ticket_id: two.id })).status).toBe(400);
    expect((await call(alma, 'merge_tickets', { ticket_id: two.id, into_ticket_id: one.id })).status).toBe(400);

    await call(alma, 'add_ticket_note', { ticket_id: two.id, message: 'for both' });
    const undone = await call(alma, 'undo_ticket_merge', { ticket_id: one.id });
    expect(undone.body.ticket).not.toHaveProperty('merged_into');
    expect(textsOf(undone.body.ticket)).toEqual(['about First', 'to one']);
    const { body: rest } = await call(alma, 'get_ticket', { ticket_id: two.id });
    expect(textsOf(rest.ticket)).toEqual(['about Second', 'for both']);
    expect((await call(alma, 'undo_ticket_merge', { ticket_id: one.id })).status).toBe(400);
  });

  it('can be merged in a chain and separated one by one', async () => {
    const [a, b, c] = [await open('a@home.test', 'A'), await open('b@home.test', 'B'), await open('c@home.test', 'C')];
    await call(alma, 'merge_tickets', { ticket_id: a.id, into_ticket_id: b.id });
    await call(alma, 'merge_tickets', { ticket_id: b.id, into_ticket_id: c.id });
    expect((await call(alma, 'undo_ticket_merge', { ticket_id: a.id })).status).toBe(400);
    const { body } = await call(alma, 'undo_ticket_merge', { ticket_id: b.id });
    expect(textsOf(body.ticket).toSorted()).toEqual(['about A', 'about B']);
    const first = await call(alma, 'undo_ticket_merge', { ticket_id: a.id });
    expect(textsOf(first.body.ticket)).toEqual(['about A']);
  });

  it('merged in both directions concurrently become one', async () => {
    const [one, two] = [await open('x@home.test', 'X'), await open('y@home.test', 'Y')];
    const answers = await Promise.all([
      call(alma, 'merge_tickets', { ticket_id: one.id, into_ticket_id: two.id }),
      call(alma, 'merge_tickets', { ticket_id: two.id, into_ticket_id: one.id }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe('concurrent changes', () => {
  it('are all recorded', async () => {
    const { id } = await open('busy@home.test');
    const notes = Array.from({ length: 12 }, (_, n) => `note ${n}`);
    await Promise.all([
      ...notes.map((message) => call(alma, 'add_ticket_note', { ticket_id: id, message })),
      ...['solved', 'solved', 'solved'].map((status) => call(alma, 'update_ticket', { ticket_id: id, status })),
    ]);
    const { ticket } = (await call(alma, 'get_ticket', { ticket_id: id })).body;
    expect(textsOf(ticket).toSorted()).toEqual(['about Lamp', ...notes].toSorted());
    expect(ticket.events.filter(({ type }: { type: string }) => type === 'status_changed')).toHaveLength(1);
  });
});

describe('a rating', () => {
  const pathOf = (mail: { text: string }) => new URL(/https?:\S+ticket-rating\S+/.exec(mail.text)![0]).pathname;

  it('is requested by email and recorded only when a button is pressed', async () => {
    const { id } = await open('rater@home.test');
    await call(alma, 'reply_to_ticket', { ticket_id: id, message: 'Done', status: 'solved' });
    await test.runDueJobs();
    const path = pathOf((await mailsTo('rater@home.test'))[0]!);
    const get = await test.app.inject({ method: 'GET', url: path });
    expect([get.statusCode, get.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    await test.app.inject({ method: 'HEAD', url: `${path}/good` });
    await test.app.inject({ method: 'GET', url: `${path}/good` });
    const ratingOf = async () => (await call(alma, 'get_ticket', { ticket_id: id })).body.ticket.rating;
    expect(await ratingOf()).toBeUndefined();
    for (const rate of ['good', 'good', 'bad']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const post = await test.app.inject({ method: 'POST', url: `${path}/${rate}`, headers, payload: '' });
      expect(post.statusCode).toBe(200);
      expect(await ratingOf()).toBe(rate);
    }
    const { ticket } = (await call(alma, 'get_ticket', { ticket_id: id })).body;
    const ratings = ticket.events.filter(({ type }: { type: string }) => type === 'rating');
    expect(ratings.map(({ rate }: { rate: string }) => rate)).toEqual(['good', 'bad']);
    expect(ticket.status).toBe('solved');
  });

  it('requires the link of this ticket', async () => {
    const { id } = await open('strict@home.test');
    await call(alma, 'reply_to_ticket', { ticket_id: id, message: 'Done' });
    await test.runDueJobs();
    const path = pathOf((await mailsTo('strict@home.test'))[0]!);
    const other = await open();
    const [organizationId, , signature] = path.split('/').at(-1)!.split('.');
    const forged = [
      `${organizationId}.${other.id}.${signature}`,
      `${organizationId}.${id}.`,
      'x',
      `${organizationId}..`,
    ];
    for (const token of forged)
      for (const url of [`/ticket-rating/${token}`, `/ticket-rating/${token}/good`]) {
        const method = url.endsWith('good') ? 'POST' : 'GET';
        expect((await test.app.inject({ method, url })).statusCode).toBe(404);
      }
    expect((await test.app.inject({ method: 'POST', url: `${path}/great` })).statusCode).toBe(404);
  });
});

describe('the address for mail', () => {
  it('is set by administrators, belongs to one account, and is not a license number', async () => {
    expect((await call(alma, 'get_ticket_mail')).body).toEqual({
      numbered_address: `${organization.licenseNumber}@in.parley.test`,
    });
    expect((await call(alma, 'set_ticket_mail', { own_address: 'help@shop.test' })).status).toBe(403);
    for (const own_address of ['10000001@in.parley.test', 'a+b@shop.test', `${'a'.repeat(31)}@shop.test`, 'x'])
      expect((await call(organization.owner, 'set_ticket_mail', { own_address })).status).toBe(400);
    const claimed = await call(organization.owner, 'set_ticket_mail', { own_address: 'help@shop.test' });
    expect(claimed.body).toMatchObject({ unconfirmed_address: 'help@shop.test' });
    const cleared = await call(organization.owner, 'set_ticket_mail', { own_address: null });
    expect(cleared.body).not.toHaveProperty('unconfirmed_address');
  });
});
