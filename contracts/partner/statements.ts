import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { PartnerTimestamp } from './values.ts';

const Month = '^\\d{4}-(0[1-9]|1[0-2])$';
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const StatementSummary = Type.Object({
  month: Type.String({ pattern: Month, examples: ['2026-11'] }),
  previous_hash: Hash,
  hash: Hash,
  creation_timestamp: PartnerTimestamp,
  available: Type.Number({ description: 'At the end of the month' }),
  held: Type.Number(),
  pending: Type.Number(),
  withdrawn: Type.Number(),
});
export type StatementSummary = Static<typeof StatementSummary>;

export const listStatements = defineOperation({
  name: 'list_statements',
  method: 'GET',
  path: '/v2/partners/statements',
  summary: 'The monthly statements of the partner’s ledger',
  responses: { 200: Type.Object({ result: Type.Array(StatementSummary) }) },
});

export const getStatement = defineOperation({
  name: 'get_statement',
  method: 'GET',
  path: '/v2/partners/statements/:month',
  summary: 'One statement as text: each transaction with its entries, the balances, and the hashes that chain it',
  description:
    'The hash is the SHA-256 of the previous hash’s bytes and the text. `npm run parley -- ledger verify --files <folder>` verifies downloaded statements without a server.',
  params: Type.Object({ month: Type.String({ pattern: Month, examples: ['2026-11'] }) }),
  download: true,
  responses: { 200: null },
});
