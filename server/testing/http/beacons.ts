import { randomUUID } from 'node:crypto';
import type { BodyOf } from '#contracts/operation.ts';
import type { sendBeacon } from '#contracts/tracking/index.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import type { TestOrganization } from '#server/testing/builders/factories.ts';

type Body = BodyOf<typeof sendBeacon>;

/** Simulates a browser with the tracking script on a page of the organization. */
export const openBrowser = (test: TestApp, { licenseNumber }: Pick<TestOrganization, 'licenseNumber'>) => {
  const id = randomUUID();
  const secret = randomUUID().replaceAll('-', '');
  const send = async (body: Partial<Body> & { event: Body['event'] }, headers: Record<string, string> = {}) => {
    const page = { url: 'https://shop.test/shoes', title: 'Shoes' };
    const response = await test.app.inject({
      method: 'POST',
      url: '/tracking/beacon',
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': 'Mozilla/5.0 Chrome/142.0.0.0', ...headers },
      payload: JSON.stringify({ license: licenseNumber, visitor_id: id, secret, page, ...body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  };
  return { id, secret, send };
};

export const readVisits = ({ scope }: TestOrganization, customerId: string) =>
  scope.from('visits').where('customerId', '=', customerId).orderBy('number').selectAll().execute();

export const readPages = async (organization: TestOrganization, customerId: string) => {
  const visitIds = (await readVisits(organization, customerId)).map(({ id }) => id);
  return organization.scope
    .from('visitPages')
    .where('visitId', 'in', visitIds)
    .orderBy('openedAt')
    .orderBy('number')
    .select(['number', 'url', 'title'])
    .execute();
};
