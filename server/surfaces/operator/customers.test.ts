import { expect, it } from 'vitest';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization } from '#server/testing/builders/factories.ts';
import { snapshotOf } from '#server/testing/builders/snapshots.ts';
import { callAs as callCustomer } from '#server/testing/http/call-customer.ts';

const test = useTestApp();

const forget = async (id: string, body: object = {}) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/operator/v1/customers/${id}/anonymise`,
    headers: { authorization: `Bearer ${test.operatorToken}` },
    payload: body,
  });
  return { status: response.statusCode, body: response.json() };
};

it('erasing a customer removes personal data and messages', async () => {
  const organization = await buildOrganization(test);
  const customer = await buildCustomer(organization);
  const call = callCustomer(test, organization, customer);
  const secret = 'A-very-recognizable-word';
  await call('update_customer', { name: secret, email: `${secret}@shop.test`, session_fields: [{ note: secret }] });
  const open = await buildChat(organization, customer, { texts: [secret] });
  await createTicket(organization.scope, {
    subject: secret,
    message: secret,
    requester: { mail: `${secret}@shop.test`, name: secret },
    source: { type: 'lc2' },
  });
  const other = await buildCustomer(organization);
  const kept = await buildChat(organization, other, { texts: ['Of somebody else'] });

  const { status, body } = await forget(customer.id);
  expect({ status, body }).toEqual({ status: 200, body: { chats: 1, files: 0, tickets: 1 } });
  await test.runDueJobs();
  const rows = [...(await snapshotOf(test, { organization, partner: { id: 0 } } as never)).values()].flat().join('\n');
  expect(rows.toLowerCase()).not.toContain(secret.toLowerCase());
  expect(rows).toContain('Of somebody else');
  expect(rows).toContain(open.chatId);
  expect((await call('list_chats', {})).status).toBe(401);
  const otherCall = callCustomer(test, organization, other);
  expect((await otherCall('get_chat', { chat_id: kept.chatId })).status).toBe(200);
  const asOwner = await test.app.inject({
    method: 'POST',
    url: '/v3.5/agent/action/get_chat',
    headers: { authorization: organization.owner.basic },
    payload: { chat_id: open.chatId },
  });
  expect(asOwner.json().error.type).toBe('chat_anonymized');
  expect((await forget(customer.id)).body).toEqual({ chats: 1, files: 0, tickets: 0 });
});

it('erasing requires an existing customer', async () => {
  const organization = await buildOrganization(test);
  const customer = await buildCustomer(organization);
  expect((await forget('abc')).status).toBe(404);
  expect((await forget('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  expect((await forget(customer.id, { organization_id: 'x' })).status).toBe(400);
  const elsewhere = await buildOrganization(test);
  expect((await forget(customer.id, { organization_id: elsewhere.id })).status).toBe(404);
  expect((await forget(customer.id, { organization_id: organization.id })).status).toBe(200);
});
