import { afterAll, describe, expect, it } from 'vitest';
import { type ApiResponse, send } from '../customer/call.ts';
import { type Agent, createAgent } from './agent-client.ts';
import { HELP, join, newTeam, openChat, openTarget, SALES, type Team } from './index.ts';
import { type Example, type Operation, operations } from './operations.ts';

const target = await openTarget();
afterAll(target.close);

const card = {
  type: 'rich_message',
  template_id: 'cards',
  elements: [{ title: 'Shoes', buttons: [{ text: 'Buy', postback_id: 'buy', user_ids: [] }] }],
};

/** Creates a chat of Sales in the state that the operation needs. */
const createExample = async (team: Team, { fresh }: Partial<Operation> = {}): Promise<Omit<Example, 'self'>> => {
  const [customer, visitor] = [await team.customer(), await team.customer()];
  const { chat_id, thread_id } = await openChat(customer, SALES);
  const { event_id } = await customer.ok('send_event', { chat_id, event: card });
  if (fresh === 'closed') await customer.ok('deactivate_chat', { id: chat_id });
  return { chat_id, thread_id, event_id, customerId: customer.id, visitorId: visitor.id };
};

const outcomeOf = ({ status, body }: ApiResponse): string => (status === 200 ? 'ok' : `${status} ${body.error.type}`);

const outside = { chat: '404 not_found', customer: '404 not_found', own: 'ok' };

describe.skipIf(!target.runSql)('permissions by role', async () => {
  if (!target.runSql) return;
  const [team, other, ended] = await Promise.all([newTeam(target), newTeam(target), newTeam(target)]);
  const people: Record<string, Agent> = {
    owner: team.owner,
    administrator: await team.addAgent('Adam', { permission: 'administrator' }),
    colleague: await team.addAgent('Alma', { groups: [SALES] }),
    outsider: await team.addAgent('Bert', { groups: [HELP] }),
    bot: await team.bot('Robbie', { groups: [{ id: SALES }] }),
    'another organization': other.owner,
  };
  const shared = await createExample(team);
  const expiredExample = { ...(await createExample(ended)), self: ended.owner.id };
  await target.runSql!(`update organizations set status = 'expired' where id = $1`, [ended.id]);
  const agentWithWrongKey = createAgent(target.url, { ...team.owner, key: 'dal-no-such-key' });

  const callAs = async (operation: Operation, agent: Agent, example: Omit<Example, 'self'>): Promise<string> => {
    const { name, inside, payload } = operation;
    if (inside) await agent.call('add_user_to_chat', { ...membership(agent, example.chat_id), visibility: 'all' });
    return outcomeOf(await agent.call(name, payload({ ...example, self: agent.id })));
  };
  const membership = ({ id }: Agent, chat_id: string) => ({ chat_id, user_id: id, user_type: 'agent' });

  it.each(operations.map((one) => [one.name, one] as const))(
    '%s is allowed for exactly the documented roles',
    async (name, operation) => {
      const { about, reads, payload } = operation;
      const outcomes: Record<string, string> = {};
      for (const [role, agent] of Object.entries(people))
        outcomes[role] = await callAs(
          operation,
          agent,
          operation.fresh ? await createExample(team, operation) : shared,
        );
      const body = payload(expiredExample);
      outcomes['after the license ended'] = outcomeOf(await ended.owner.call(name, body));
      outcomes['with a wrong key'] = outcomeOf(await agentWithWrongKey.call(name, body));
      outcomes['without a credential'] = outcomeOf(
        await send(`${target.url}/v3.5/agent/action/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      );
      expect(outcomes).toEqual({
        ...{ owner: 'ok', administrator: 'ok', colleague: 'ok', bot: 'ok' },
        outsider: about === 'chat' ? outside.chat : 'ok',
        'another organization': outside[about],
        'after the license ended': reads ? 'ok' : '402 license_expired',
        'with a wrong key': '401 authentication',
        'without a credential': '401 authentication',
      });
    },
  );

  it('every operation applies the same permissions over a socket', async () => {
    const [agent, stranger] = [people.colleague!, people.outsider!];
    const [insider, outsider] = [await agent.logIn(), await stranger.logIn()];
    const last = operations.findIndex(({ name }) => name === 'logout_agent');
    for (const operation of [...operations.toSpliced(last, 1), operations[last]!]) {
      const { name, about, inside, payload } = operation;
      const example = operation.fresh ? await createExample(team, operation) : shared;
      if (inside) await join(agent, example.chat_id);
      const rejected = { success: false, payload: { error: { type: 'not_found' } } };
      const request = payload({ ...example, self: agent.id });
      if (about === 'chat') expect(await outsider.request(name, request)).toMatchObject({ action: name, ...rejected });
      expect(await insider.request(name, request)).toMatchObject({ action: name, success: true });
    }
    await insider.closed;
    outsider.close();
  });
});
