import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildAgent, buildGroup, buildOrganization, type TestAgent } from '#server/testing/builders/factories.ts';
import { asConsoleAgent, reader } from '../../testing/builders/archive.ts';
import {
  AGENTS,
  CUSTOMERS,
  type Model,
  type ModelThread,
  modelThread,
  PLACES,
  writeModel,
} from '../../testing/models/archive.ts';

const SEED = 20_260_308;
const THREADS = 60;

const test = useTestApp();
let model: Model;
let owner: TestAgent;
let normal: TestAgent;

beforeAll(async () => {
  const organization = await buildOrganization(test);
  await buildGroup(organization, 1);
  await buildGroup(organization, 2);
  for (const login of AGENTS) await buildAgent(organization, { login });
  normal = await asConsoleAgent(organization, await buildAgent(organization, { groupIds: [1] }));
  owner = organization.owner;
  model = await writeModel(organization, fc.sample(modelThread, { seed: SEED, numRuns: THREADS }));
});

type Holds = (thread: ModelThread) => boolean;

const isSale = ({ goal, sale }: ModelThread): boolean => goal === 2 || (goal === 1 && sale);
const isRated = ({ score }: ModelThread): boolean => score !== undefined;
/** Reference implementation of the word search. */
const says = (thread: ModelThread, word: string, asBeginning: boolean): boolean => {
  const { name, email } = CUSTOMERS[thread.customer]!;
  const text = [name, email ?? '', ...thread.messages.flat()].join(' ').toLowerCase();
  const words = text.replace(/([東京])/g, ' $1 ').split(/[ .@-]+/);
  return words.some((one) => (asBeginning ? one.startsWith(word) : one === word));
};
const between =
  (from: string, before: string): Holds =>
  ({ at }) =>
    at >= from && at < before;

const uuid = (n: number): string => model.customerIds[n]!;

/** Each filter with its query and its predicate. */
const filters: [name: string, query: () => string, holds: Holds][] = [
  ['visitor_id', () => `visitor_id=${uuid(0)}`, ({ customer }) => customer === 0],
  ['visitor_id', () => 'visitor_id=user-42', ({ customer }) => customer === 2],
  ['query', () => 'query=order', (thread) => says(thread, 'order', true)],
  ['query', () => 'query=ORD', (thread) => says(thread, 'ord', true)],
  ['query', () => 'query=refund%20stra%C3%9Fe', (t) => says(t, 'refund', false) && says(t, 'straße', true)],
  ['query', () => 'query=%E4%BA%AC', (thread) => says(thread, '京', false)],
  ['query', () => 'query=carla%40home.test', (t) => ['carla', 'home', 'test'].every((word) => says(t, word, false))],
  ['agent', () => 'agent=Ann%40shop.test', ({ agents }) => agents.includes('ann@shop.test')],
  ['group', () => 'group=1', ({ groupIds }) => groupIds.includes(1)],
  ['goal', () => 'goal=1', ({ goal }) => goal === 1],
  ['has_goal', () => 'has_goal=1', ({ goal }) => goal !== undefined],
  ['has_goal', () => 'has_goal=0', ({ goal }) => goal === undefined],
  ['sale', () => 'sale=tracker-7', ({ goal }) => goal === 2],
  ['has_sale', () => 'has_sale=1', isSale],
  ['has_sale', () => 'has_sale=0', (thread) => !isSale(thread)],
  ['queued', () => 'queued=1', ({ queue }) => queue === 'assigned'],
  ['queued', () => 'queued=0', ({ queue }) => queue !== 'assigned'],
  ['rate', () => 'rate=rated', isRated],
  ['rate', () => 'rate=not_rated', (thread) => !isRated(thread)],
  ['rate', () => 'rate=rated_good', ({ score }) => score === 1],
  ['rate', () => 'rate=rated_bad', ({ score }) => score === 0],
  ['tag', () => 'tag[]=sale', ({ tags }) => tags.includes('sale')],
  ['tag', () => 'tag[0]=spam&tag[1]=Gr%C3%BC%C3%9Fe', ({ tags }) => tags.includes('spam') && tags.includes('Grüße')],
  ['tagged', () => 'tagged=1', ({ tags }) => tags.length > 0],
  ['tagged', () => 'tagged=0', ({ tags }) => tags.length === 0],
  ['comment', () => 'comment=1', ({ comment }) => comment === 'Slow'],
  ['comment', () => 'comment=0', ({ comment }) => comment !== 'Slow'],
  ['city', () => 'city=krak%C3%B3w', ({ place }) => PLACES[place]?.city === 'Kraków'],
  ['region', () => 'region=Oslo', ({ place }) => PLACES[place]?.region === 'Oslo'],
  ['country', () => 'country=Poland', ({ place }) => PLACES[place]?.country === 'Poland'],
  ['type', () => 'type=chat', ({ agents }) => agents.length > 0],
  ['type', () => 'type=missed_chat', ({ agents }) => agents.length === 0],
  [
    'days',
    () => 'date_from=2026-03-08&date_to=2026-03-08&timezone=America/New_York',
    between('2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'),
  ],
  ['days', () => 'date_to=2026-03-07&timezone=Asia/Kolkata', between('', '2026-03-07T18:30:00.000Z')],
  ['days', () => 'date_from=2026-03-09', between('2026-03-09T00:00:00.000Z', '9')],
  ['include_pending', () => 'include_pending=1', () => true],
  ['include_pending', () => 'include_pending=0', ({ pending }) => !pending],
];

/** Reference implementation: checks each thread. */
const bruteForce = (chosen: typeof filters, isVisible: Holds = () => true): string[] => {
  const mayBePending = chosen.some(([, query]) => query() === 'include_pending=1');
  return model.threads
    .filter((thread) => isVisible(thread) && (mayBePending || !thread.pending))
    .filter((thread) => chosen.every(([, , holds]) => holds(thread)))
    .toSorted((one, other) => other.at.localeCompare(one.at) || other.id.localeCompare(one.id))
    .map(({ id }) => id);
};

const expectFound = async (agent: TestAgent, chosen: typeof filters, isVisible?: Holds): Promise<void> => {
  const query = chosen.map(([, text]) => text()).join('&');
  const { status, body } = await reader(test, agent)(`/chats?${query}`);
  const expected = bruteForce(chosen, isVisible);
  expect(status, query).toBe(200);
  const ids = body.chats.map(({ id }: { id: string }) => id);
  expect([query, body.total, ids]).toEqual([query, expected.length, expected.slice(0, 25)]);
};

const pairs = filters.flatMap((one, n) =>
  filters.slice(n + 1).flatMap((other) => (one[0] === other[0] ? [] : [[one, other]])),
);

describe(`an archive search (seed ${SEED})`, () => {
  it('has representative data: most filters match some threads but not all', () => {
    const counts = filters.map((filter) => bruteForce([filter]).length);
    expect(counts.filter((count) => count > 0 && count < THREADS).length).toBeGreaterThan(filters.length - 6);
  });

  it('matches the reference model for each filter', async () => {
    for (const filter of filters) await expectFound(owner, [filter]);
  });

  it(`matches the reference model for each of ${pairs.length} pairs of filters`, async () => {
    for (const pair of pairs) await expectFound(owner, pair);
  });

  it('matches the reference model for random filters, also for an agent of one group', async () => {
    const choice = fc.subarray(filters, { minLength: 3, maxLength: 6 });
    const isVisible: Holds = ({ groupIds }) => groupIds.some((id) => id <= 1);
    await fc.assert(
      fc.asyncProperty(choice, async (drawn) => {
        const chosen = [...new Map(drawn.map((filter) => [filter[0], filter])).values()];
        await expectFound(owner, chosen);
        await expectFound(normal, chosen, isVisible);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});
