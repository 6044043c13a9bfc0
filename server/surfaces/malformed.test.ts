import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '#contracts/operation.ts';
import { compileResponseCheck } from '#server/http/validation.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { findChangedRows, snapshotAll } from '#server/testing/builders/snapshots.ts';
import { buildTenant, type Tenant } from '#server/testing/builders/tenants.ts';
import { exampleOf } from '#server/testing/http/examples.ts';
import { malformedRequests, type RawRequest, type Target } from '#server/testing/http/malformed-requests.ts';
import { surfaces } from './index.ts';

const SEED = 20_261_115;
/** For a longer search: `MALFORMED=1000 npm test -- malformed`. */
const PER_OPERATION = Number(process.env.MALFORMED ?? 60);
/** Statuses that the server itself may return before a surface is chosen. */
const ALWAYS = [404, 405, 413, 414, 431];

/** How each surface is called. A new surface must be listed here. */
const ways: Record<string, Pick<Target, 'bodies' | 'wrongVersions'> & { caller: (tenant: Tenant) => string }> = {
  customer: { caller: ({ credentials }) => credentials.customer, bodies: 'json', wrongVersions: [] },
  agent: { caller: ({ credentials }) => credentials.agent, bodies: 'json', wrongVersions: [] },
  configuration: { caller: ({ credentials }) => credentials.agent, bodies: 'json', wrongVersions: [] },
  accounts: { caller: ({ credentials }) => credentials.customer, bodies: 'json', wrongVersions: [] },
  partner: { caller: ({ credentials }) => credentials.partner, bodies: 'form-or-json', wrongVersions: [] },
  files: { caller: ({ credentials }) => credentials.customer, bodies: 'json', wrongVersions: [] },
  tracking: { caller: ({ credentials }) => credentials.customer, bodies: 'json', wrongVersions: [] },
  oauth: { caller: ({ oauth }) => `Bearer ${oauth.accessToken}`, bodies: 'form-or-json', wrongVersions: [] },
  'sign-up': { caller: ({ credentials }) => credentials.customer, bodies: 'form-or-json', wrongVersions: [] },
  operator: { caller: () => `Bearer ${test.operatorToken}`, bodies: 'json', wrongVersions: [] },
  'chat-ops': {
    caller: ({ credentials }) => credentials.agent,
    bodies: 'form-or-json',
    wrongVersions: ['1', '3', '2.0', 'v2', ' '].map((version) => ({ 'x-api-version': version })),
  },
};

const test = useTestApp();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await buildTenant(test);
});

const everything = surfaces.flatMap(({ contract }) => contract.operations);

const targetOf = (surface: string, operation: Operation): Target => {
  const way = ways[surface];
  if (!way) throw new Error(`Add the surface ${surface} to \`ways\` in server/surfaces/malformed.test.ts`);
  const samePath = everything.filter(({ path }) => path === operation.path);
  return {
    operation,
    shapes: samePath.filter(({ method }) => method === operation.method),
    methods: new Set(samePath.map(({ method }) => method)),
    example: exampleOf(surface, operation, tenant),
    authorization: way.caller(tenant),
    bodies: way.bodies,
    wrongVersions: way.wrongVersions,
  };
};

const describeRequest = ({ problem, method, url, headers, payload }: RawRequest): string =>
  `${problem}\n${method} ${url.slice(0, 300)}\n${JSON.stringify(headers).slice(0, 300)}\n${String(payload).slice(0, 300)}`;

const cases = surfaces.flatMap(({ contract }) =>
  contract.operations.map((operation) => ({ contract, operation, name: `${contract.name} ${operation.name}` })),
);

describe(`malformed requests (seed ${SEED})`, () => {
  it.each(cases)(
    'to $name are rejected in the error format of its API and change nothing',
    async ({ contract, operation }) => {
      const target = targetOf(contract.name, operation);
      const statuses = new Set([...contract.errors, ...(operation.errors ?? []), ...ALWAYS]);
      const check = compileResponseCheck(contract.error);
      const before = await snapshotAll(test);
      await fc.assert(
        fc.asyncProperty(malformedRequests(target), async (request) => {
          const { problem: _, ...options } = request;
          const response = await test.app.inject(options);
          const details = `${describeRequest(request)}\n→ ${response.statusCode} ${response.body.slice(0, 500)}`;
          expect(response.statusCode, details).toBeGreaterThanOrEqual(400);
          expect(response.statusCode, details).toBeLessThan(500);
          expect(statuses.has(response.statusCode), details).toBe(true);
          expect(check(response.json()), details).toBeUndefined();
        }),
        { seed: SEED, numRuns: PER_OPERATION, endOnFailure: true },
      );
      expect(findChangedRows(before, await snapshotAll(test))).toEqual([]);
    },
  );
});
