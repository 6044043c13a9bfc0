import { beforeAll, describe, expect, it } from 'vitest';
import { type Operation, successStatus } from '#contracts/operation.ts';
import { projections } from '#server/projections/index.ts';
import { checkProjection } from '#server/projections/maintain.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { staticWeb } from '#server/testing/app/static-web.ts';
import { buildCustomer } from '#server/testing/builders/factories.ts';
import { findChangedRows, findLostRows, snapshotOf } from '#server/testing/builders/snapshots.ts';
import { buildTenant, type Kind, type Tenant } from '#server/testing/builders/tenants.ts';
import { contentOf, type ExampleRequest, exampleOf, toQueryString } from '#server/testing/http/examples.ts';
import { surfaces } from './index.ts';

/** The kind of credential of each surface. A new surface must be listed here. */
const callers: Record<string, Kind> = {
  customer: 'customer',
  accounts: 'customer',
  agent: 'agent',
  configuration: 'agent',
  'chat-ops': 'agent',
  partner: 'partner',
  operator: 'operator',
  files: 'customer',
  tracking: 'customer',
  oauth: 'program',
  'sign-up': 'customer',
};

const test = useTestApp({ previews: staticWeb });
let victim: Tenant;
let reader: Tenant;
beforeAll(async () => {
  victim = await buildTenant(test);
  reader = await buildTenant(test);
});

/** Pending entries would hide that an operation enqueued nothing. */
const buildProjectedTenant = async (): Promise<Tenant> => {
  const tenant = await buildTenant(test);
  await test.context.background.projections.drain();
  return tenant;
};

/** Read operations leave nothing behind, so that they can share a tenant. */
const tenantFor = async ({ name, method }: Operation): Promise<Tenant> =>
  method === 'GET' || /^(list|get)_/.test(name) ? reader : buildProjectedTenant();

const send = async (example: ExampleRequest, authorization: string | undefined) => {
  const { method, path, query } = example;
  const content = contentOf(example);
  const response = await test.app.inject({
    method,
    url: `${path}?${toQueryString(query)}`,
    headers: {
      ...(authorization ? { authorization } : {}),
      ...(content ? { 'content-type': content.type } : {}),
    },
    ...(content ? { payload: content.payload } : {}),
  });
  return { status: response.statusCode, text: `${response.body} ${JSON.stringify(response.headers)}` };
};

const credentialOf = (tenant: Tenant, kind: Kind): string =>
  kind === 'operator' ? `Bearer ${test.operatorToken}` : tenant.credentials[kind];

const expectSilence = (answer: { status: number; text: string }, secrets: string[], who: string) => {
  expect(answer.status, `${who}: ${answer.text}`).toBeLessThan(500);
  for (const secret of secrets) expect(answer.text, who).not.toContain(secret);
};

const operations = surfaces.flatMap(({ contract }) =>
  contract.operations.map((operation) => ({
    surface: contract.name,
    operation,
    name: `${contract.name} ${operation.name}`,
  })),
);

const requestsFor = (surface: string, operation: Operation) => [
  exampleOf(surface, operation, victim),
  exampleOf(surface, operation, victim, true),
];

/**
 * The request itself carries its credential, so the sender is the tenant; `visitor-chat.test.ts` covers foreign
 * credentials.
 */
const BY_SESSION = [
  'sign_in',
  'sign_in_with_code',
  'sign_in_with_link',
  'reset_password',
  'get_pending_messages',
  'send_visitor_message',
  'close_visitor_chat',
  'issue_tokens',
];

/** Operations that succeed only once on the caller's own data. */
const ONCE_ONLY = /^(create|change|request|revoke|delete)_|^send_transcript$/;

/** Tenants for whom an operation succeeded, with the last such operation. */
const served = new Map<Tenant, string>();

describe.each(operations)('$name', ({ surface, operation }) => {
  const own = callers[surface]!;
  let tenant: Promise<Tenant> | undefined;
  const tenantOfThis = (): Promise<Tenant> => {
    if (!tenant || ONCE_ONLY.test(operation.name)) tenant = tenantFor(operation);
    return tenant;
  };

  it('belongs to a surface that is listed with its callers', () => {
    expect(own, `add the surface ${surface} to \`callers\` in server/surfaces/tenancy.test.ts`).toBeDefined();
  });

  const carriesCredential = BY_SESSION.includes(operation.name);
  if (!carriesCredential)
    it('shows and changes nothing of another tenant', async () => {
      const intruder = await tenantOfThis();
      const before = await snapshotOf(test, victim);
      const kinds = (['customer', 'agent', 'partner', 'operator'] as const).filter((kind) => kind !== own);
      for (const request of requestsFor(surface, operation)) {
        const strangers: [string, string | undefined][] = [
          ['nobody', undefined],
          ...kinds.map((kind): [string, string] => [`another tenant’s ${kind}`, credentialOf(intruder, kind)]),
          ...kinds.map((kind): [string, string] => [`the tenant’s ${kind}`, credentialOf(victim, kind)]),
        ];
        for (const [who, authorization] of strangers) {
          const answer = await send(request, authorization);
          expectSilence(answer, victim.secrets.all, who);
          if (!operation.public) expect(answer.status, `${who}: ${answer.text}`).toBeGreaterThanOrEqual(400);
        }
        if (own !== 'operator') {
          const answer = await send(request, credentialOf(intruder, own));
          expectSilence(answer, victim.secrets.all, `another tenant’s ${own}`);
        }
      }
      const after = await snapshotOf(test, victim);
      // A public operation may create something new, for example a customer, but must not change existing rows.
      const changed = operation.public
        ? findLostRows(before, after).filter((row) => !isSum(row))
        : findChangedRows(before, after);
      expect(changed).toEqual([]);
    });

  if (own === 'customer')
    it('shows and changes nothing of another customer of the same organization', async () => {
      const other = await buildCustomer(victim.organization);
      const before = await snapshotOf(test, victim);
      for (const request of requestsFor(surface, operation))
        expectSilence(await send(request, `Bearer ${other.token}`), victim.secrets.customer, 'another customer');
      const lost = findLostRows(before, await snapshotOf(test, victim));
      const isOwn = (row: string) => isOwnToken(row, other.token) || isOwnRow(row, other.id) || isSum(row);
      expect(lost.filter((row) => !isOwn(row))).toEqual([]);
    });

  it('succeeds for the tenant itself, so that the rejections above are meaningful', async () => {
    const itself = await tenantOfThis();
    const answer = await send(exampleOf(surface, operation, itself), credentialOf(itself, own));
    const hint = 'the example request must be one that succeeds: see server/testing/http/examples.ts';
    expect(answer.status, `${hint}\n${answer.text}`).toBe(successStatus(operation));
    served.set(itself, operation.name);
  });
});

it('every operation above enqueued the projections of what it wrote', async () => {
  await test.context.background.projections.drain();
  const { database } = test.context;
  const outdated: string[] = [];
  for (const [{ organization, partner }, operation] of served)
    for (const projection of Object.values(projections)) {
      const ownerId = projection.owner === 'partner' ? String(partner.id) : organization.id;
      for (const key of await checkProjection(database, projection, ownerId))
        outdated.push(`${operation}: ${projection.name} ${key}`);
    }
  expect(outdated).toEqual([]);
});

/** Sign-ups through a partner link change shared totals. */
const isSum = (row: string): boolean => row.startsWith('performance_totals: ');

/** A customer may revoke their own token, which is not the victim's row. */
const isOwnToken = (row: string, token: string): boolean =>
  row.includes(test.context.services.secrets.hash(token).toString('hex'));

/** A customer may change their own record and visits. */
const isOwnRow = (row: string, customerId: string): boolean => {
  const [, table, text] = /^(\w+): (.*)$/s.exec(row)!;
  const { id, customer_id } = JSON.parse(text!);
  return (table === 'customers' && id === customerId) || (table === 'visits' && customer_id === customerId);
};
