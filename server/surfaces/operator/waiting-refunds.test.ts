import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization } from '#server/testing/builders/factories.ts';
import { callOperator } from '#server/testing/builders/referrals.ts';

const test = useTestApp();

const send = callOperator(() => test);

it('lists refunds without a known payment and refunds that exceed it, in pages', async () => {
  const name = randomUUID();
  const idsAfter = async (query: string) => {
    const { body } = await send('GET', `/refunds/waiting?${query}`);
    return { ids: body.refunds.map((one: { external_id: string }) => one.external_id), next: body.next };
  };
  for (const [id, amount_cents] of [['a', 3000] as const, ['b', 2000] as const])
    await send('POST', `/payments/${name}/refunds`, { external_id: `${name}-${id}`, amount_cents });
  const first = await send('GET', `/refunds/waiting?after=${name}&limit=1`);
  expect(first).toMatchObject({
    status: 200,
    body: {
      refunds: [{ status: 'waiting', external_id: `${name}-a`, payment_external_id: name, amount_cents: 3000 }],
      next: `${name}-a`,
    },
  });
  expect((await idsAfter(`after=${name}-a&limit=1`)).ids).toEqual([`${name}-b`]);
  const { id } = await buildOrganization(test);
  const payment = { external_id: name, product: 'mainchat', amount_cents: 4900, currency: 'USD' };
  expect((await send('POST', `/organizations/${id}/payments`, payment)).status).toBe(201);
  expect((await idsAfter(`after=${name}&limit=1`)).ids).toEqual([`${name}-b`]);
});

it('rejects callers who are not the operator', async () => {
  const response = await test.app.inject({ url: '/operator/v1/refunds/waiting' });
  expect(response.statusCode).toBe(401);
});
