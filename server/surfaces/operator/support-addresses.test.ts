import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildAgent, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { createEmail, createMailHelpers } from '#server/testing/builders/mails.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';

const test = useTestApp();
const { receive, list, mailsTo } = createMailHelpers(test);
const call = (...input: Parameters<ReturnType<typeof callAsAgent>>) => callAsAgent(test)(...input);

let shop: TestOrganization;
let address: string;
beforeEach(async () => {
  shop = await buildOrganization(test);
  address = `help-${randomUUID().slice(0, 8)}@shop.example`;
});

const claim = ({ owner }: TestOrganization) => call(owner, 'set_ticket_mail', { own_address: address });
const confirm = ({ owner }: TestOrganization, code: string) => call(owner, 'confirm_ticket_mail', { code });
/** The codes that were mailed to the address, newest first. */
const codes = async (): Promise<string[]> => {
  await test.runDueJobs();
  return (await mailsTo(address)).map(({ mail }) => /^\d{8}$/m.exec(mail.text)![0]);
};
const operator = (method: 'GET' | 'DELETE', path: string) =>
  test.app.inject({ method, url: `/operator/v1${path}`, headers: { authorization: `Bearer ${test.operatorToken}` } });
const sendMail = () => receive(shop, createEmail(randomUUID()), { to: address });

it('mail to a support address becomes tickets only after the mailed code was entered', async () => {
  expect((await claim(shop)).body).toEqual({ unconfirmed_address: address });
  expect(await sendMail()).toBe(0);
  const [code = ''] = await codes();
  for (const wrong of ['00000000', 'x']) expect((await confirm(shop, wrong)).status).toBe(400);
  expect((await confirm(shop, code)).body).toEqual({ own_address: address });
  expect((await confirm(shop, code)).status).toBe(400);
  expect(await sendMail()).toBe(1);
  await test.runDueJobs();
  expect(await list(shop)).toHaveLength(1);
});

it('an organization that claims the address of another first does not keep the other from confirming it', async () => {
  const thief = await buildOrganization(test);
  await claim(thief);
  await codes();
  await claim(shop);
  const [code = '', stolen = ''] = await codes();
  expect((await confirm(thief, code)).status).toBe(400);
  expect((await confirm(shop, code)).status).toBe(200);
  // A code that reaches the thief later does not help, because the address is in use.
  expect((await confirm(thief, stolen)).status).toBe(400);
  await operator('DELETE', `/organizations/${shop.id}/support-address`);
  expect((await confirm(thief, stolen)).status).toBe(200);
});

it('a code confirms only the address that is claimed now, within a day', async () => {
  await claim(shop);
  const [code = ''] = await codes();
  await call(shop.owner, 'set_ticket_mail', { own_address: `other-${address}` });
  expect((await confirm(shop, code)).status).toBe(400);
  await claim(shop);
  const [late = ''] = await codes();
  test.clock.advance(24 * 3600_000);
  expect((await confirm(shop, late)).status).toBe(400);
});

it('the previous address stays until the new one is confirmed', async () => {
  await claim(shop);
  await confirm(shop, (await codes())[0]!);
  const changed = await call(shop.owner, 'set_ticket_mail', { own_address: `other-${address}` });
  expect(changed.body).toEqual({ own_address: address, unconfirmed_address: `other-${address}` });
  expect(await sendMail()).toBe(1);
});

it('codes are mailed three times per hour, entered by administrators, and guessed five times', async () => {
  for (const status of [200, 200, 200, 429]) expect((await claim(shop)).status).toBe(status);
  const alma = await buildAgent(shop);
  expect((await call(alma, 'confirm_ticket_mail', { code: '00000000' })).status).toBe(403);
  await using slow = await startTestApp({ beside: test, config: { rateLimits: true } });
  const attempt = async () => (await callAsAgent(slow)(shop.owner, 'confirm_ticket_mail', { code: '00000000' })).status;
  for (let n = 0; n < 5; n++) expect(await attempt()).toBe(400);
  expect(await attempt()).toBe(429);
});

it('the operator lists addresses and claims, and releases them', async () => {
  const listed = async () => {
    const { support_addresses } = (await operator('GET', `/support-addresses?after=${shop.licenseNumber - 1}`)).json();
    return support_addresses;
  };
  await claim(shop);
  expect(await listed()).toEqual([
    { organization_id: shop.id, license_id: shop.licenseNumber, unconfirmed_address: address },
  ]);
  await confirm(shop, (await codes())[0]!);
  expect(await listed()).toMatchObject([{ organization_id: shop.id, confirmed_address: address }]);
  const release = async (id: string) => (await operator('DELETE', `/organizations/${id}/support-address`)).statusCode;
  expect([await release(shop.id), await release(randomUUID()), await release('x')]).toEqual([204, 404, 404]);
  expect([await listed(), await sendMail()]).toEqual([[], 0]);
});
