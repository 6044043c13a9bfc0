import { expect } from 'vitest';
import type { TestApp } from '#server/testing/app/start-app.ts';
import type { Json } from './conformance/customer/call.ts';
import { billing, PASSWORD } from './conformance/partner/index.ts';
import type { Model } from './partner-model-state.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Fixture {
  test: TestApp;
  model: Model;
  sendRequest(method: Method, url: string, token?: string, body?: object): Promise<{ status: number; body: Json }>;
  /** Cookies of the visitors. */
  jars: (string | undefined)[];
  name: string;
}

export const VISITORS = 3;
const OWN = 'Own campaign';

export const expectStatus = (
  what: string,
  { status, body }: { status: number; body: Json },
  ...allowed: number[]
): void => {
  if (!allowed.includes(status)) expect({ what, status, body }).toEqual({ what, status: allowed });
};

/** A partner, a partner it referred, and an unrelated one, each with a campaign. */
export const createFixture = async (test: TestApp, name: string): Promise<Fixture> => {
  const sendRequest: Fixture['sendRequest'] = async (method, url, token, body) => {
    const response = await test.app.inject({
      ...{ method, url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() };
  };
  const model: Model = {
    ...{ partners: [], links: [], clicks: [], licenses: [], payments: new Map(), refunds: new Map(), withdrawals: [] },
  };
  const fixture = { test, model, sendRequest, jars: Array.from({ length: VISITORS }, () => undefined), name };
  for (const referrer of [undefined, 0, undefined]) {
    const login = `${name}-${model.partners.length}@partner.test`;
    const form = { email: login, password: PASSWORD, first_name: 'P', last_name: 'P' };
    const { body } = await sendRequest('POST', '/join', undefined, {
      ...form,
      ...(referrer === 0 ? { a: model.partners[0]!.id } : {}),
    });
    const partner = {
      id: body.partner_id,
      login,
      token: body.token,
      referrer,
      blocked: false,
      commission: 20,
      second: 5,
    };
    const at = model.partners.push(partner) - 1;
    const input = { ...billing, payout_account: `${name}-payout-${at}@partner.test` };
    expectStatus('billing', await sendRequest('PUT', '/v2/partners/billing', partner.token, input), 204);
    const made = await sendRequest('POST', '/v2/partners/affiliates/campaigns?product=mainchat', partner.token, {
      name: OWN,
    });
    const { body: list } = await sendRequest('GET', '/v2/partners/affiliates/campaigns', partner.token);
    for (const campaign of list.result.filter(({ product }: Json) => product === 'mainchat'))
      model.links.push({
        ...{ partner: at, id: campaign.id, slug: campaign.slug, code: campaign.short_url.split('/').at(-1) },
        ...{ percent: undefined, isDefault: campaign.name !== OWN, disabled: false },
      });
    expectStatus('campaign', made, 201);
  }
  return fixture;
};

export const pick = <T>(items: T[], at: number): T | undefined =>
  items.length === 0 ? undefined : items[at % items.length];
export const callOperator = ({ sendRequest, test }: Fixture, method: Method, path: string, body?: object) =>
  sendRequest(method, `/operator/v1${path}`, test.operatorToken, body);

/** The fields that are compared. */
export const realLicenses = ({ model }: Fixture): number[] => model.licenses.map((_, at) => at);
