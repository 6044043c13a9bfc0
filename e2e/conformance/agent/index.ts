/**
 * Conformance tests of the agent API, over HTTP and WebSocket only; started like e2e/conformance/customer. Owners and
 * bots can be created on any server. Other agents, groups and expired licenses are written to the database, so tests
 * that need them are skipped on an external server.
 */

import { type Caller, message } from '../customer/call.ts';
import { itWithDatabase, newOrganization, openTarget } from '../customer/index.ts';
import type { Target } from '../customer/target.ts';
import { type Agent, createAgent } from './agent-client.ts';

export { itWithDatabase, openTarget, type Target };

export const SALES = 1;
export const HELP = 2;

export interface Team {
  id: string;
  owner: Agent;
  customer(): Promise<Caller>;
  /** Creates a bot. `bots_first` is a setting of the group. */
  bot(name: string, settings?: object): Promise<Agent>;
  /** Creates a human agent. Only on a server started by the tests. */
  addAgent(
    name: string,
    role?: { permission?: 'administrator' | 'normal'; groups?: number[]; limit?: number },
  ): Promise<Agent>;
}

export const newTeam = async (target: Target): Promise<Team> => {
  const { id, login, owner: authorization, customer } = await newOrganization(target);
  const owner = createAgent(target.url, { id: login, key: authorization.replace('Bearer ', ''), name: 'Olga' });
  const runSql = target.runSql!;
  if (target.runSql) {
    await runSql(
      `insert into groups (organization_id, id, name, created_at)
       values ($1, ${SALES}, 'Sales', now()), ($1, ${HELP}, 'Help', now())`,
      [id],
    );
  }

  const bot: Team['bot'] = async (name, settings = {}) => {
    const { status, body } = await owner.configure('create_bot', { name, ...settings });
    if (status !== 200) throw new Error(`creating the bot failed: ${JSON.stringify(body)}`);
    return createAgent(target.url, { id: body.id, key: body.token, name });
  };

  /** Turns a bot into a person, so that its key is one that the server itself issued. */
  const addAgent: Team['addAgent'] = async (name, { permission = 'normal', groups = [], limit = 6 } = {}) => {
    const { id: made, key } = await bot(name);
    const agentId = `${name.toLowerCase()}-${crypto.randomUUID()}@shop.test`;
    await runSql('delete from agent_groups where organization_id = $1 and agent_id = $2', [id, made]);
    await runSql(
      `update agents set id = $3, kind = 'person', permission = $4, max_chats_count = $5
       where organization_id = $1 and id = $2`,
      [id, made, agentId, permission, limit],
    );
    await runSql('insert into agent_groups select $1, $2, unnest($3::integer[])', [id, agentId, [0, ...groups]]);
    return createAgent(target.url, { id: agentId, key, name });
  };

  return { id, owner, customer, bot, addAgent };
};

/** Starts a chat of a group; it is queued while no agent accepts chats. */
export const openChat = async (customer: Caller, groupId = 0, texts = ['hello']) => {
  const { chat_id, thread_id, event_ids } = await customer.ok('start_chat', {
    continuous: true,
    chat: { access: { group_ids: [groupId] }, thread: { events: texts.map((text) => message(text)) } },
  });
  return { chat_id, thread_id, event_ids } as { chat_id: string; thread_id: string; event_ids: string[] };
};

export const join = (agent: Agent, chat_id: string, visibility = 'all') =>
  agent.ok('add_user_to_chat', { chat_id, user_id: agent.id, user_type: 'agent', visibility });
