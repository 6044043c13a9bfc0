import { endLicense } from '#server/domain/accounts/licenses/end-license.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { findEndedLicenses } from '#server/storage/platform-timers.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { callAs } from '../http/partner.ts';

export const DAY_MS = 24 * 3600 * 1000;
export const PASSWORD = 'a long password';

/** Card numbers of the payment sandbox. */
export const GOOD = '4111111111111111';
export const DECLINED = '4000000000000002';
export const LATE = '4000000000000119';

const card = {
  key: 'any',
  first_name: 'Paula',
  last_name: 'Partner',
  month: '12',
  year: '2035',
  verification_value: '123',
  address1: 'Long Street 1',
  city: 'Warsaw',
  state: 'MZ',
  zip: '00-001',
  country: 'PL',
};

/** Runs the scheduler task that ends expired licenses. */
export const endLicenses = async ({ context: { services, database }, clock }: TestApp): Promise<void> => {
  for (const id of await findEndedLicenses(database, clock.now()))
    await endLicense(openOrganizationScope(services, { kind: 'system' }, id));
};

let clients = 0;

export const clientEmail = () => `client-${process.pid}-${clients++}@client.test`;

/** A partner that buys licenses for clients. */
export const buildReseller = async (test: TestApp) => {
  const partner = await buildPartner(test);
  const call = callAs(
    () => test,
    () => partner.token,
  );
  const askToken = (number: string, changes: Record<string, string> = {}) =>
    test.app.inject({ url: '/sandbox/payments/token', query: { ...card, number, ...changes } });
  const tokenOf = async (number = GOOD): Promise<string> => (await askToken(number)).json().id;
  const terms = { plan: 'team', billing_cycle: 'monthly', seats: 2 };
  const pathOf = (license: string) => `/resellers/licenses/${license}`;
  return {
    ...partner,
    call,
    askToken,
    create: async (fields: object = {}) => {
      const client = { client_name: 'Łukasz & Söhne', client_email: clientEmail() };
      return (await call('POST', '/resellers/licenses', { ...client, ...fields })).body;
    },
    subscribe: async (license: string, changes: object = {}, number = GOOD) =>
      call('POST', `${pathOf(license)}/subscription`, { token: await tokenOf(number), ...terms, ...changes }),
    change: (license: string, changes: object = {}) =>
      call('PUT', `${pathOf(license)}/subscription`, { ...terms, ...changes }),
    changeCard: async (license: string, number = GOOD) =>
      call('PUT', `${pathOf(license)}/billing`, { token: await tokenOf(number) }),
    close: (license: string, body: object = { password: PASSWORD }) =>
      call('DELETE', `${pathOf(license)}/subscription`, body),
    read: async (license: string) => (await call('GET', pathOf(license))).body,
    invoices: async (license: string) => (await call('GET', `${pathOf(license)}/invoices`)).body.result,
    charged: async (): Promise<number> => {
      const { rows } = await test.context.database.query<{ sum: number }>({
        text: `select coalesce(sum(s.amount_cents), 0)::bigint as sum from sandbox_charges s
          join charges c on c.id::text = s.idempotency_key and c.partner_id = $1 where s.declined is null`,
        values: [partner.id],
      });
      return rows[0]!.sum;
    },
  };
};

export type TestReseller = Awaited<ReturnType<typeof buildReseller>>;
