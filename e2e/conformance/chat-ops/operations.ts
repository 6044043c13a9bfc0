import type { Json, Method, Shop } from './index.ts';

/** The objects that example requests refer to. */
export interface Example {
  login: string;
  group: number;
  canned: number;
  goal: number;
  greeting: number;
  tag: string;
  ticket: string;
  /** An archived chat. */
  thread: string;
  customer: string;
  webhook: string;
}

export interface Operation {
  row: string;
  method: Method;
  path(example: Example): string;
  body?(example: Example): Json;
  scope: string;
  /** Only for the owner and administrators. */
  managers?: true;
  /** Names an object of one organization, so that another organization gets 404. */
  named?: true;
}

const reports = [
  ...['chats/total_chats', 'chats/engagement', 'chats/ratings', 'chats/ratings/ranking', 'chats/queued_visitors'],
  ...['chats/queued_visitors/waiting_times', 'availability', 'chats/chatting_time', 'chats/first_response_time'],
  ...['chats/response_time', 'chats/agents_occupancy', 'chats/goals', 'chats/greetings', 'tickets/new_tickets'],
  ...['tickets/first_response_time', 'tickets/solved_tickets', 'tickets/resolution_time', 'tickets/ticket_sources'],
  ...['tickets/ratings', 'tickets/ratings/ranking'],
];

type Row = [row: string, scope: string, body?: (example: Example) => Json];

const rule = { type: 'visit_time_page', value: '10', operator: 'greater_than' };

const open: Row[] = [
  ['GET /agents', 'agents_read'],
  ['GET /agents/<login>', 'agents_read'],
  ['GET /chats', 'archives_read'],
  ['GET /chats/<thread>', 'archives_read'],
  ['POST /chats/<thread>/send_transcript', 'archives_write', () => ({ to: 'reader@far.test' })],
  ['PUT /chats/<thread>/tags', 'archives_write', () => ({ tag: ['sale'] })],
  ['GET /canned_responses', 'canned_responses_read'],
  ['GET /canned_responses/<canned>', 'canned_responses_read'],
  ['GET /goals', 'goals_read'],
  ['GET /goals/<goal>', 'goals_read'],
  ['POST /goals/<goal>/mark_as_successful', 'goals_write', ({ customer }) => ({ visitor_id: customer })],
  ['GET /greetings', 'greetings_read'],
  ['GET /greetings/<greeting>', 'greetings_read'],
  ['GET /groups', 'groups_read'],
  ['GET /groups/<group>', 'groups_read'],
  ...reports.map((path): Row => {
    const query = path.endsWith('agents_occupancy') ? '?weekday=mon' : '';
    return [`GET /reports/${path}${query}`, 'reports_read'];
  }),
  ['GET /status', 'groups_read'],
  ['GET /tags', 'tags_read'],
  ['GET /tickets', 'tickets_read'],
  ['GET /tickets/<ticket>', 'tickets_read'],
  ['POST /tickets', 'tickets_write', () => ({ message: 'Help', requester: { mail: 'asker@far.test' } })],
  ['PUT /tickets/<ticket>/tags', 'tickets_write', () => ({ tag: ['sale'] })],
  ['GET /visitors', 'visitors_read'],
  ['GET /webhooks', 'webhooks_read'],
];

const forManagers: Row[] = [
  ['POST /agents', 'agents_write', () => ({ login: 'nobody@shop.test', name: 'Nobody', password: 'a long password' })],
  ['PUT /agents/<login>', 'agents_write', () => ({ job_title: 'Boss' })],
  ['POST /agents/<login>/reset_api_key', 'agents_write'],
  ['DELETE /agents/<login>', 'agents_write'],
  ['POST /canned_responses', 'canned_responses_write', () => ({ text: 'Hello', tags: ['hi'] })],
  ['PUT /canned_responses/<canned>', 'canned_responses_write', () => ({ text: 'Hello' })],
  ['POST /canned_responses/<canned>', 'canned_responses_write', () => ({ text: 'Hello' })],
  ['DELETE /canned_responses/<canned>', 'canned_responses_write'],
  ['POST /goals', 'goals_write', () => ({ name: 'Bought', type: 'api' })],
  ['PUT /goals/<goal>', 'goals_write', () => ({ name: 'Sold' })],
  ['DELETE /goals/<goal>', 'goals_write'],
  ['POST /greetings', 'greetings_write', () => ({ name: 'Welcome', rules: [rule] })],
  ['PUT /greetings/<greeting>', 'greetings_write', () => ({ name: 'Farewell' })],
  ['DELETE /greetings/<greeting>', 'greetings_write'],
  ['POST /groups', 'groups_write', () => ({ name: 'Sales', agents: [] })],
  ['PUT /groups/<group>', 'groups_write', () => ({ name: 'Help' })],
  ['DELETE /groups/<group>', 'groups_write'],
  ['POST /tags', 'tags_write', ({ login }) => ({ author: login, tag: 'new', group: 0 })],
  ['DELETE /tags/<tag>?group=0', 'tags_write'],
  [
    'POST /webhooks',
    'webhooks_write',
    () => ({ event_type: 'chat_ended', data_types: ['chat'], url: 'https://far.test/hook' }),
  ],
  ['DELETE /webhooks/<webhook>', 'webhooks_write'],
];

const toOperation = ([row, scope, body]: Row): Operation => {
  const [method, pattern] = row.split(' ') as [Method, string];
  return {
    row,
    method,
    scope,
    path: (example) =>
      pattern.replace(/<(\w+)>/g, (_, name: keyof Example) => encodeURIComponent(String(example[name]))),
    ...(body ? { body } : {}),
    ...(pattern.includes('<') ? { named: true } : {}),
  };
};

/** Every operation that requires an agent. Visitor operations are authorized by their session. */
export const operations: Operation[] = [
  ...open.map(toOperation),
  ...forManagers.map((row) => ({ ...toOperation(row), managers: true as const })),
];

/** Ids count up per organization. Uses some up so that the next ones differ from those of another organization. */
export const skipIds = async ({ owner }: Shop): Promise<void> => {
  await owner.ok('POST', '/groups', { name: 'First', agents: [] });
  await owner.ok('POST', '/canned_responses', { text: 'First', tags: [] });
  await owner.ok('POST', '/goals', { name: 'First', type: 'api' });
  await owner.ok('POST', '/greetings', { name: 'First', rules: [rule] });
};

/** Creates one object of each kind. */
export const createExample = async ({ owner, addAgent, customer }: Shop): Promise<Example> => {
  const { login } = await addAgent('Xenia');
  const visitor = await customer();
  const { chat_id, thread_id } = await visitor.ok('start_chat', {
    ...{ continuous: true, chat: { thread: { events: [{ type: 'message', text: 'Hello?' }] } } },
  });
  await visitor.ok('deactivate_chat', { id: chat_id });
  const make = async (path: string, body: object) => (await owner.ok('POST', path, body)).id;
  await owner.ok('POST', '/tags', { author: owner.login, tag: 'sale', group: 0 });
  const hook = { event_type: 'chat_started', data_types: ['chat', 'visitor'], url: 'https://far.test/hook' };
  return {
    login,
    group: await make('/groups', { name: 'Sales', agents: [login] }),
    canned: await make('/canned_responses', { text: 'Hello', tags: ['hi'] }),
    goal: await make('/goals', { name: 'Bought', type: 'api' }),
    greeting: await make('/greetings', { name: 'Welcome', rules: [rule] }),
    tag: 'sale',
    ticket: await make('/tickets', { message: 'Help', requester: { mail: 'asker@far.test' } }),
    thread: thread_id,
    customer: visitor.id,
    webhook: (await owner.ok('POST', '/webhooks', hook)).events[0].id,
  };
};
