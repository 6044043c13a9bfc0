import { describe, expect, it } from 'vitest';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import type { EventContent } from '#server/domain/support/chats/records.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import {
  answer,
  arrangeChat,
  asConsoleAgent,
  asOwner,
  headersOf,
  reader,
  say,
} from '../../testing/builders/archive.ts';

const test = useTestApp();

const form = (formType: string, fields: unknown[]) => say({ type: 'filled_form', formId: 'form-1', formType, fields });

const name = (organization: TestOrganization, id: string, columns: { name?: string; email?: string }) =>
  organization.scope.update('customers').where('id', '=', id).set(columns).execute();

/** The values of unknown visitor fields. */
const unknown = { ip: '', city: '', region: '', country: '', country_code: '', timezone: '', user_agent: '' };

describe('an archived chat', () => {
  it('contains participants, times and messages', async () => {
    const organization = await buildOrganization(test);
    const { login } = organization.owner;
    const { chatId, threadId, customerId } = await arrangeChat(test, organization, {
      events: [
        form('prechat', [
          { type: 'email', id: '1', label: 'E-mail:', answer: 'carla@home.test' },
          { type: 'select', id: '2', label: 'Topic:', answer: { id: '0', label: 'Prices' } },
          {
            type: 'checkbox',
            id: '3',
            label: 'About:',
            answers: [
              { id: '0', label: 'A' },
              { id: '1', label: 'B' },
            ],
          },
          { type: 'question', id: '4', label: 'Left out:' },
        ]),
        say('Hello'),
      ],
      properties: {
        rating: { score: 1, comment: 'Quick' },
        routing: { start_url: 'https://shop.test/a', referrer: 'https://search.test/' },
      },
      tags: ['sale'],
    });
    await name(organization, customerId, { name: 'Carla', email: 'carla@home.test' });
    test.clock.advance(5_000);
    await answer(test, organization, chatId, say('Good morning'));
    await answer(test, organization, chatId, say('A difficult one', 'agents'));
    const read = reader(test, organization.owner);
    const { status, body } = await read(`/chats/${threadId}`);
    expect(status).toBe(200);
    const visitor = { author_name: 'Carla', user_type: 'visitor' };
    const agent = { author_name: 'Olga Owner', user_type: 'agent', agent_id: login };
    const hello = { ...visitor, text: 'Hello', date: 'Mon, 03/02/26 10:00:00 am', timestamp: 1772445600 };
    const reply = { ...agent, text: 'Good morning', date: 'Mon, 03/02/26 10:00:05 am', timestamp: 1772445605 };
    expect(body).toEqual({
      type: 'chat',
      id: threadId,
      visitor: { id: customerId, name: 'Carla', ...unknown },
      agents: [{ display_name: 'Olga Owner', email: login }],
      supervisors: [],
      rate: 'rated_good',
      duration: 5,
      chat_start_url: 'https://shop.test/a',
      referrer: 'https://search.test/',
      group: [0],
      started: 'Mon, 03/02/26 10:00:00 am',
      started_timestamp: 1772445600,
      ended: '',
      ended_timestamp: null,
      prechat_survey: [
        { key: 'E-mail:', value: 'carla@home.test', id: '1' },
        { key: 'Topic:', value: 'Prices', id: '2' },
        { key: 'About:', value: 'A, B', id: '3' },
        { key: 'Left out:', value: '', id: '4' },
      ],
      postchat_survey: [],
      tags: ['sale'],
      timezone: 'UTC',
      messages: [hello, reply],
      events: [
        { ...hello, type: 'message' },
        { ...reply, type: 'message' },
        { ...reply, text: 'A difficult one', type: 'event', event_type: 'private_note' },
      ],
      engagement: 'immediate_start',
      pending: true,
    });
  });

  it('contains its end, who closed it, and `Client` for a visitor without a name', async () => {
    const organization = await buildOrganization(test);
    const { threadId } = await arrangeChat(test, organization, { seconds: 3 * 3600 + 61 });
    const { body } = await reader(test, organization.owner)(`/chats/${threadId}?timezone=Asia/Kolkata`);
    expect(body).toMatchObject({
      visitor: { name: 'Client' },
      rate: 'not_rated',
      duration: 10_861,
      started: 'Mon, 03/02/26 03:30:05 pm',
      ended: 'Mon, 03/02/26 06:31:06 pm',
      ended_timestamp: body.started_timestamp + 10_861,
      timezone: 'Asia/Kolkata',
      messages: [],
      events: [{ type: 'event', event_type: 'closed', user_type: 'visitor', author_name: 'Client' }],
      pending: false,
    });
    expect(body.chat_start_url).toBe('');
    expect(body.visitor).toEqual({ id: body.visitor.id, name: 'Client', ...unknown });
    for (const conditional of ['referrer', 'custom_variables', 'goals', 'queue', 'integration_variables'])
      expect(body).not.toHaveProperty(conditional);
  });

  it('contains the text of a rich message', async () => {
    const organization = await buildOrganization(test);
    const { chatId, threadId } = await arrangeChat(test, organization);
    const elements = [{ title: 'Size?', buttons: [{ text: 'Small', postback_id: 's' }] }];
    await answer(test, organization, chatId, say({ type: 'rich_message', templateId: 'quick_replies', elements }));
    const { body } = await reader(test, organization.owner)(`/chats/${threadId}`);
    const richMessage = { text: 'Size?\nSmall', user_type: 'agent', agent_id: organization.owner.login };
    expect(body).toMatchObject({ messages: [richMessage], events: [{ ...richMessage, type: 'message' }] });
  });

  it('is found by words of a rich message, while active and afterwards, but not by words of a note', async () => {
    const organization = await buildOrganization(test);
    const { chatId, threadId } = await arrangeChat(test, organization);
    const card = (title: string): EventContent => ({
      ...{ type: 'rich_message', templateId: 'cards' },
      elements: [{ title, subtitle: 'Handmade', buttons: [{ text: 'Buy lavender', postback_id: 's' }] }],
    });
    await answer(test, organization, chatId, say(card('Soap')));
    await answer(test, organization, chatId, { ...say(card('Margin')), visibility: 'agents' });
    const found = async (query: string) =>
      (await reader(test, organization.owner)(`/chats?include_pending=1&${query}`)).body.chats.map(
        ({ id }: { id: string }) => id,
      );
    const all = async () =>
      Promise.all(['soap', 'handmade', 'buy', 'laven', 'margin'].map((one) => found(`query=${one}`)));
    const expected = [[threadId], [threadId], [threadId], [threadId], []];
    expect(await all()).toEqual(expected);
    await deactivateChat(asOwner(test, organization), { chatId });
    expect(await all()).toEqual(expected);
  });

  it('is not found by other organizations or by another id', async () => {
    const organization = await buildOrganization(test);
    const { threadId, chatId } = await arrangeChat(test, organization, { seconds: 1 });
    const other = await buildOrganization(test);
    expect(await reader(test, other.owner)(`/chats/${threadId}`)).toMatchObject({ status: 404, body: { code: 404 } });
    expect((await reader(test, other.owner)('/chats')).body).toEqual({ chats: [], total: 0, pages: 0 });
    for (const id of [chatId, 'NOBODY', '%00', "' or 1=1"]) {
      const { status } = await reader(test, organization.owner)(`/chats/${encodeURIComponent(id)}`);
      expect(status).toBe(404);
    }
  });

  it('is not found after it is anonymized', async () => {
    const organization = await buildOrganization(test);
    const { threadId, chatId } = await arrangeChat(test, organization, { seconds: 1 });
    await organization.scope.update('chats').where('id', '=', chatId).set({ anonymized: true }).execute();
    const read = reader(test, organization.owner);
    expect((await read(`/chats/${threadId}`)).status).toBe(404);
    expect((await read('/chats')).body.total).toBe(0);
  });
});

describe('the chats that an agent sees', () => {
  it('are those of the agent’s groups with an API key, a bot token and in the console, and all for administrators', async () => {
    const organization = await buildOrganization(test);
    await buildGroup(organization, 1);
    await buildGroup(organization, 2);
    const agent = await buildAgent(organization, { groupIds: [1] });
    const administrator = await buildAgent(organization, { permission: 'administrator' });
    const everyone = await arrangeChat(test, organization, { seconds: 1 });
    const own = await arrangeChat(test, organization, { groupIds: [1], seconds: 1 });
    const foreign = await arrangeChat(test, organization, { groupIds: [2], seconds: 1 });
    const idsOf = (body: { chats: { id: string }[] }) => body.chats.map(({ id }) => id);
    const all = [foreign.threadId, own.threadId, everyone.threadId];
    for (const who of [administrator, organization.owner])
      expect(idsOf((await reader(test, who)('/chats')).body)).toEqual(all);
    const bot = await test.app.inject({
      ...{
        method: 'POST',
        url: '/v3.5/configuration/action/create_bot',
        payload: { name: 'Bot', groups: [{ id: 1 }] },
      },
      headers: { authorization: organization.owner.basic },
    });
    expect(bot.json()).toHaveProperty('token');
    const asBot = { ...agent, headers: { authorization: `Bearer ${bot.json().token}` } };
    for (const who of [agent, asBot, await asConsoleAgent(organization, agent)]) {
      const read = reader(test, who);
      expect(idsOf((await read('/chats')).body)).toEqual([own.threadId, everyone.threadId]);
      expect((await read(`/chats/${foreign.threadId}`)).status).toBe(404);
      expect((await read('/chats?group=2')).body.total).toBe(0);
      const url = `/chats/${foreign.threadId}/send_transcript`;
      const payload = { to: organization.owner.login };
      expect((await test.app.inject({ method: 'POST', url, headers: headersOf(who), payload })).statusCode).toBe(404);
    }
  });
});
