import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';

export const getStatus = defineOperation({
  name: 'get_status',
  method: 'GET',
  path: '/v2/partners/status',
  summary: 'Whether the API is up',
  public: true,
  responses: { 200: Type.Object({ status: Type.Literal('ok') }) },
});
