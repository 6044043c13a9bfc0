import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, it } from 'vitest';
import { type Caller, TIME } from './call.ts';
import { newOrganization, openTarget } from './index.ts';
import { startReceiver } from './receiver.ts';
import type { Target } from './target.ts';

/** Extracts the link from an email. */
const linkIn = (mail: string): string | undefined =>
  /https?:\/\/\S+\/verify-email\/[\w.~-]+/.exec(mail.replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[0];

/** Stores emails by recipient, returns them in order and waits for them if necessary. */
const startMailbox = async () => {
  const boxes = new Map<string, { mails: string[]; waiting: ((mail: string) => void)[] }>();
  const boxOf = (address: string) => {
    const box = boxes.get(address) ?? { mails: [], waiting: [] };
    boxes.set(address, box);
    return box;
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, { envelope }, done) => {
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      for (const { address } of envelope.rcptTo) {
        const { mails, waiting } = boxOf(address);
        const taker = waiting.shift();
        if (taker) taker(text);
        else mails.push(text);
      }
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    nextTo: (address: string): Promise<string> => {
      const { mails, waiting } = boxOf(address);
      return mails.length > 0 ? Promise.resolve(mails.shift()!) : new Promise((resolve) => waiting.push(resolve));
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};

/** Emails and callbacks must reach this process, so the test starts its own server. */
describe.skipIf(process.env.PARLEY_URL)('request_email_verification', async () => {
  if (process.env.PARLEY_URL) return;
  const mailbox = await startMailbox();
  const receiver = await startReceiver();
  const target: Target = await openTarget({ SMTP_URL: mailbox.url });
  afterAll(async () => {
    await target.close();
    await receiver.close();
    await mailbox.close();
  });
  const organization = await newOrganization(target);

  const newCustomer = async (): Promise<{ customer: Caller; email: string }> => {
    const customer = await organization.customer();
    const email = `ann-${crypto.randomUUID()}@example.com`;
    await customer.ok('update_customer', { email });
    return { customer, email };
  };
  const sendRequest = (customer: Caller, path: string) =>
    customer.ok('request_email_verification', { callback_uri: receiver.url + path });
  const confirm = async (mail: string) => {
    const link = linkIn(mail);
    expect(link).toBeDefined();
    return fetch(link!, { method: 'POST' });
  };
  const nextPaths = async (count: number): Promise<string[]> => {
    const paths: string[] = [];
    while (paths.length < count) paths.push((await receiver.next()).path);
    return paths.toSorted();
  };
  /** Checks that no other callback follows: earlier callbacks would have arrived before the one requested here. */
  const expectNothingMore = async (customer: Caller) => {
    await sendRequest(customer, '/last');
    expect(await nextPaths(1)).toEqual(['/last']);
    expect(receiver.unread()).toEqual([]);
  };

  it('calls back after the customer confirms, or immediately when the address is already verified', async () => {
    const { customer, email } = await newCustomer();
    await sendRequest(customer, '/first');
    const mail = await mailbox.nextTo(email);
    expect((await fetch(linkIn(mail)!)).status).toBe(200);
    expect(receiver.unread()).toEqual([]);
    expect((await confirm(mail)).status).toBe(200);
    const { path, body } = await receiver.next();
    expect({ path, body }).toEqual({
      path: '/first',
      body: {
        email,
        customer_id: customer.id,
        organization_id: organization.id,
        verified_at: expect.stringMatching(TIME),
      },
    });
    await sendRequest(customer, '/again');
    expect((await receiver.next()).path).toBe('/again');
  });

  it('accepts a link only once', async () => {
    const { customer, email } = await newCustomer();
    await sendRequest(customer, '/once');
    const mail = await mailbox.nextTo(email);
    expect((await confirm(mail)).status).toBe(200);
    expect(await nextPaths(1)).toEqual(['/once']);
    expect((await confirm(mail)).status).toBeGreaterThanOrEqual(400);
    await expectNothingMore(customer);
  });

  it('calls back for the 10 most recent requests only', async () => {
    const { customer, email } = await newCustomer();
    const paths = Array.from({ length: 12 }, (_, at) => `/request-${String(at).padStart(2, '0')}`);
    for (const path of paths) await sendRequest(customer, path);
    await confirm(await mailbox.nextTo(email));
    expect(await nextPaths(10)).toEqual(paths.slice(2));
    await expectNothingMore(customer);
  });

  it.each([
    ['within', '6 days 23 hours', true],
    ['after', '7 days 1 hour', false],
  ])('handles a confirmation %s 7 days of the last request', async (_, age, called) => {
    const { customer, email } = await newCustomer();
    await sendRequest(customer, '/old');
    const mail = await mailbox.nextTo(email);
    const query = `update email_verifications set created_at = created_at - $1::interval where customer_id = $2`;
    await target.runSql!(query, [age, customer.id]);
    await confirm(mail);
    if (called) expect(await nextPaths(1)).toEqual(['/old']);
    await expectNothingMore(customer);
  });

  it('requires an email address', async () => {
    const customer = await organization.customer();
    const { status, body } = await customer.call('request_email_verification', { callback_uri: receiver.url });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { type: 'validation' } } });
  });
});
