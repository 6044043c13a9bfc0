import { expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildAgent, buildOrganization } from '#server/testing/builders/factories.ts';
import { writeAgent } from './create-agent.ts';

const test = useTestApp();

it('limits people to the seats of the license under concurrency and does not count bots', async () => {
  const organization = await buildOrganization(test);
  const { kysely } = test.context.database;
  await kysely.updateTable('organizations').where('id', '=', organization.id).set({ seats: 3 }).execute();
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => buildAgent(organization)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'conflict', message: 'All 3 seats of the license are in use' },
  });
  const bot = {
    login: 'bot@shop.test',
    name: 'Bo Bot',
    permission: 'normal',
    kind: 'bot',
    passwordHash: null,
  } as const;
  await organization.scope.transaction((tx) => writeAgent(tx, bot));
  const [gone] = await organization.scope
    .update('agents')
    .where('permission', '=', 'normal')
    .where('kind', '=', 'person')
    .set({ deletedAt: test.clock.now() })
    .returning('id')
    .execute();
  expect(gone).toBeDefined();
  await expect(buildAgent(organization)).resolves.toBeDefined();
});
