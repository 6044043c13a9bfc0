import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { enqueueAllProjections } from '#server/testing/app/enqueue-all-projections.ts';
import type { TestOrganization } from '#server/testing/builders/factories.ts';

export const GROUPS = [0, 1, 2];
export const AGENTS = ['ann@shop.test', 'bob@shop.test'];
export const TAGS = ['sale', 'spam', 'Grüße'];
export const WORDS = ['order', 'ordinary', 'refund', 'Straße', '東京', 'e-mail'];
export const PLACES = [
  undefined,
  { city: 'Kraków', region: 'Lesser Poland', country: 'Poland' },
  { city: 'Oslo', region: 'Oslo', country: 'Norway' },
];
/** Times around the start of daylight saving time in New York and around midnight in Kolkata. */
const TIMES = [
  ...['2026-03-07T18:29:59.999Z', '2026-03-07T18:30:00.000Z', '2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00.000Z'],
  ...['2026-03-09T03:59:59.999Z', '2026-03-09T04:00:00.000Z', '2026-03-10T12:00:00.000Z'],
];

export const modelThread = fc.record({
  at: fc.constantFrom(...TIMES),
  /** The index of the customer; the last one uses the visitor chat API. */
  customer: fc.nat({ max: 2 }),
  pending: fc.boolean(),
  groupIds: fc.subarray(GROUPS, { minLength: 1 }),
  agents: fc.subarray(AGENTS),
  tags: fc.subarray(TAGS),
  score: fc.constantFrom(undefined, 0, 1),
  comment: fc.constantFrom(undefined, '', 'Slow'),
  /** Goal 1 is marked by the API, goal 2 is a sales tracker. */
  goal: fc.constantFrom(undefined, 1, 2),
  sale: fc.boolean(),
  queue: fc.constantFrom(undefined, 'assigned', 'left'),
  place: fc.constantFrom(...PLACES.keys()),
  messages: fc.array(fc.subarray(WORDS, { minLength: 1 }), { maxLength: 2 }),
  note: fc.constantFrom(undefined, 'refund'),
});

type GeneratedThread = typeof modelThread extends fc.Arbitrary<infer T> ? T : never;

export interface ModelThread extends GeneratedThread {
  id: string;
}

export const CUSTOMERS = [
  { name: 'Carla Order', email: 'carla@home.test' },
  { name: 'Dan', email: 'dan@work.test' },
  { name: 'Client', email: null, visitorId: 'user-42' },
];

export interface Model {
  customerIds: string[];
  threads: ModelThread[];
}

const inTime = (at: string, seconds: number): Date => new Date(Date.parse(at) + seconds * 1000);

const writeBaseRows = async ({ scope }: TestOrganization, customerIds: string[]) => {
  const createdAt = scope.now();
  for (const [n, id] of customerIds.entries())
    await scope
      .insert('customers', { id, avatar: null, cookieSecretHash: null, bannedUntil: null, createdAt, ...CUSTOMERS[n]! })
      .execute();
  await scope
    .insert('goals', [
      { id: 1, name: 'Reported', type: 'api', fields: '{}', createdAt },
      { id: 2, name: 'Sold', type: 'sales_tracker', fields: '{"salesTrackerId": "tracker-7"}', createdAt },
    ])
    .execute();
};

const writeGoal = async ({ scope }: TestOrganization, thread: ModelThread, customerId: string, visitId: string) => {
  if (thread.goal === undefined) return;
  const sale = thread.sale ? JSON.stringify({ orderId: 'A1', price: '9.90', currency: 'EUR' }) : null;
  const hit = { visitId, customerId, groupId: 0, threadId: thread.id, goalId: thread.goal, sale };
  await scope.insert('goalHits', { ...hit, reachedAt: inTime(thread.at, 30) }).execute();
};

const writeEvents = async ({ scope }: TestOrganization, thread: ModelThread, chatId: string, customerId: string) => {
  const events = [
    ...thread.messages.map((words) => ({ text: words.join(' '), visibility: 'all' as const, by: 'customer' as const })),
    ...(thread.note ? [{ text: thread.note, visibility: 'agents' as const, by: 'agent' as const }] : []),
  ].map(({ text, visibility, by }, n) => ({
    ...{ chatId, threadId: thread.id, number: n + 1, type: 'message', visibility, authorKind: by, customId: null },
    authorId: by === 'agent' ? 'ann@shop.test' : customerId,
    content: JSON.stringify({ text }),
    createdAt: inTime(thread.at, n),
  }));
  if (events.length > 0) await scope.insert('events', events).execute();
};

/** Inserts a thread with its own chat and visit. */
const writeThread = async (organization: TestOrganization, thread: ModelThread, customerId: string, number: number) => {
  const { scope } = organization;
  const createdAt = new Date(thread.at);
  const closedAt = inTime(thread.at, 60);
  const [chatId, visitId] = [`C${thread.id.slice(1)}`, randomUUID()];
  const place = PLACES[thread.place];
  await scope
    .insert('visits', {
      ...{
        id: visitId,
        customerId,
        number,
        groupId: 0,
        startedAt: createdAt,
        lastSeenAt: createdAt,
        endedAt: closedAt,
      },
      ...{ referrer: null, userAgent: null, place: place ? JSON.stringify(place) : null },
    })
    .execute();
  await scope
    .insert('chats', {
      ...{ id: chatId, customerId, groupIds: thread.groupIds, active: thread.pending, lastThreadId: thread.id },
      ...{ lastThreadCreatedAt: createdAt, lastEventAt: null, createdAt },
    })
    .execute();
  const { score, comment } = thread;
  const rating = { ...(score === undefined ? {} : { score }), ...(comment === undefined ? {} : { comment }) };
  await scope
    .insert('threads', {
      ...{ id: thread.id, chatId, active: thread.pending, groupIds: thread.groupIds, tags: thread.tags, createdAt },
      ...{ previousThreadId: null, nextThreadId: null, closedAt: thread.pending ? null : closedAt },
      properties: JSON.stringify({ rating }),
    })
    .execute();
  for (const agentId of thread.agents) await scope.insert('threadAgents', { threadId: thread.id, agentId }).execute();
  await writeGoal(organization, thread, customerId, visitId);
  if (thread.queue)
    await scope
      .insert('queueEntries', {
        ...{ chatId, threadId: thread.id, groupIds: thread.groupIds, priority: 0, enteredAt: createdAt },
        ...{ leftAt: inTime(thread.at, 12), outcome: thread.queue as 'assigned' | 'left' },
      })
      .execute();
  await writeEvents(organization, thread, chatId, customerId);
};

/** Inserts generated histories directly into the tables. The visits of a customer have the order of the chats. */
export const writeModel = async (organization: TestOrganization, generated: GeneratedThread[]): Promise<Model> => {
  const customerIds = CUSTOMERS.map(() => randomUUID());
  await writeBaseRows(organization, customerIds);
  const sorted = generated.toSorted((one, other) => one.at.localeCompare(other.at));
  // Chats of a customer that start at the same time have the same place.
  const places = new Map(sorted.map(({ customer, at, place }) => [`${customer} ${at}`, place]));
  const threads = sorted.map((thread, n) => ({
    ...thread,
    id: `T${String(n).padStart(9, '0')}`,
    place: places.get(`${thread.customer} ${thread.at}`)!,
  }));
  for (const [n, thread] of threads.entries())
    await writeThread(organization, thread, customerIds[thread.customer]!, n + 1);
  await enqueueAllProjections(organization.scope);
  return { customerIds, threads };
};
