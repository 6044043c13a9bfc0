import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';

const counts = {
  trials: Type.Integer({ description: 'Running trials' }),
  trials_cc: Type.Integer({ description: 'Those of them with a payment card' }),
  paid: Type.Integer({ description: 'Licenses that are paid now' }),
};
const Counts = Type.Object(counts);
const products = { mainchat: Counts, chatbot: Counts, helpdesk: Counts };

export const Stats = Type.Object({
  affiliate: Type.Object({
    ...products,
    partner_program: Type.Object(
      { ...counts, partners_referred: Type.Integer() },
      { description: 'Results of referred partners, and their number' },
    ),
  }),
  solution: Type.Object(products),
});
export type Stats = Static<typeof Stats>;

export const getStats = defineOperation({
  name: 'get_stats',
  method: 'GET',
  path: '/v2/partners/stats',
  summary: 'The current number of licenses of the partner',
  responses: { 200: Stats },
});
