import type { Insertable } from 'kysely';
import { createPartner } from '#server/domain/partners/accounts/accounts.ts';
import { addReferredLicense } from '#server/domain/partners/referrals/add-referred-license.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import type { ReferredLicensesTable } from '#server/storage/tables/program.ts';
import type { TestApp } from '../app/start-app.ts';
import type { buildPartner, TestOrganization } from './factories.ts';
import { partnerScope } from './ledger.ts';

/** Records that the partner referred the organization. */
export const refer = async (
  test: TestApp,
  { id }: { id: number },
  organization: TestOrganization,
  about: Partial<Insertable<ReferredLicensesTable>> = {},
): Promise<void> => {
  const { status, trialEndsAt, createdAt } = await test.context.database.kysely
    .selectFrom('organizations')
    .where('id', '=', organization.id)
    .select(['status', 'trialEndsAt', 'createdAt'])
    .executeTakeFirstOrThrow();
  const row = { organizationId: organization.id, program: 'affiliate', product: 'mainchat' } as const;
  await addReferredLicense(partnerScope(test, id), { ...row, status, endsAt: trialEndsAt, createdAt, ...about });
};

let count = 0;

/** A partner who was referred by another partner. */
export const buildReferredPartner = async (test: TestApp, referrer: { id: number }) => {
  const login = `referred-${++count}-${referrer.id}@partner.test`;
  const scope = openPlatformScope(test.context.services, { kind: 'system' });
  const { partnerId, token } = await createPartner(scope, {
    ...{ login, password: 'a long password', firstName: 'Rita', lastName: 'Referred' },
    referredBy: referrer.id,
  });
  return { id: partnerId, token, login } satisfies Awaited<ReturnType<typeof buildPartner>>;
};

/** Calls the operator's API. */
export const callOperator =
  (test: () => TestApp) => async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    const response = await test().app.inject({
      method,
      url: `/operator/v1${path}`,
      headers: { authorization: `Bearer ${test().operatorToken}` },
      ...(body ? { payload: body } : {}),
    });
    return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() };
  };
