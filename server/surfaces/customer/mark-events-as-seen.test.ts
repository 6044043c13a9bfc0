import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let chat_id: string;
let start: Date;

beforeAll(async () => {
  organization = await buildOrganization(test);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  chat_id = (await call('start_chat', { chat: { thread: { events: [message('hi')] } } })).body.chat_id;
  start = test.clock.now();
  test.clock.advance(60_000);
});

const at = (milliseconds: number): string => new Date(start.getTime() + milliseconds).toISOString();
const mark = (seen_up_to: unknown, as = call) => as('mark_events_as_seen', { chat_id, seen_up_to });
const seen = async (): Promise<number> => {
  const { users } = (await call('get_chat', { chat_id })).body;
  const { events_seen_up_to } = users.find(({ id }: { id: string }) => id === customer.id);
  return new Date(events_seen_up_to).getTime() - start.getTime();
};

describe('mark_events_as_seen', () => {
  it('moves forward only', async () => {
    expect(await seen()).toBe(0);
    expect(await mark(at(5000))).toMatchObject({ status: 200, body: {} });
    expect(await seen()).toBe(5000);
    expect((await mark(at(2000))).status).toBe(200);
    expect(await seen()).toBe(5000);
  });

  it('moves forward only, regardless of the order of concurrent requests', async () => {
    const order = [3000, 9000, 1000, 7000, 9500, 4000];
    await Promise.all(order.map((milliseconds) => mark(at(milliseconds))));
    expect(await seen()).toBe(9500);
  });

  it.each<[string, (iso: string) => string]>([
    ['six decimals', (iso) => iso.replace('Z', '000Z')],
    ['nine decimals', (iso) => iso.replace('Z', '999999Z')],
    ['no decimals', (iso) => iso.replace(/\.\d+/, '')],
    ['lower-case letters', (iso) => iso.toLowerCase()],
    ['no offset', (iso) => iso.replace('Z', '+00:00')],
    ['an unknown offset', (iso) => iso.replace('Z', '-00:00')],
  ])('accepts a time with %s', async (_, write) => {
    expect((await mark(write(at(4000)))).status).toBe(200);
    expect(await seen()).toBe(4000);
  });

  it('accepts any UTC offset', async () => {
    const there = new Date(start.getTime() + 4000 + 5.5 * 3600_000).toISOString().replace('Z', '+05:30');
    expect((await mark(there)).status).toBe(200);
    expect(await seen()).toBe(4000);
  });

  it('does not accept a time in the future as seen', async () => {
    expect((await mark('2999-12-31T23:59:60.5Z')).status).toBe(200);
    expect(await seen()).toBe(60_000);
    expect((await mark('0001-01-01T00:00:00Z')).status).toBe(200);
    expect(await seen()).toBe(60_000);
  });

  it('works in an archived chat', async () => {
    await call('deactivate_chat', { id: chat_id });
    expect((await mark(at(7000))).status).toBe(200);
    expect(await seen()).toBe(7000);
  });

  it.each([undefined, null, '', 'soon', '2026-03-02', '2026-02-30T10:00:00Z', '2026-03-02T10:00:00', 1772445600])(
    'rejects %j as a time',
    async (text) => {
      expect(await mark(text)).toMatchObject(errorResponse(400, 'validation'));
      expect(await seen()).toBe(0);
    },
  );

  it('does not find another customer’s chat', async () => {
    const stranger = callAs(test, organization, await buildCustomer(organization));
    expect(await mark(at(1000), stranger)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await seen()).toBe(0);
  });
});
