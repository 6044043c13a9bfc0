import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { CallFailedError, createClient } from './client.ts';
import { defineOperation } from './operation.ts';

const mendSpoon = defineOperation({
  name: 'mend_spoon',
  method: 'PUT',
  path: '/spoons/:id',
  summary: 'Mends a spoon',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ tools: Type.Array(Type.String()) }),
  body: Type.Object({ patient: Type.Boolean() }),
  responses: { 200: Type.Object({ whole: Type.Boolean() }), 204: null },
});

const answering = (status: number, body: string | null) => {
  const requests: Request[] = [];
  const call = createClient({
    baseUrl: 'https://chat.example',
    headers: { authorization: 'Bearer secret' },
    query: { organization_id: 'o1' },
    fetch: async (input, init) => {
      requests.push(new Request(input as URL, init));
      return new Response(body, { status });
    },
  });
  return { call, requests };
};

const input = { params: { id: 'a/b' }, query: { tools: ['glue', 'tape'] }, body: { patient: true } };

describe('typed client', () => {
  it('fills the path, the query and the body', async () => {
    const { call, requests } = answering(200, '{"whole":true}');
    expect(await call(mendSpoon, input)).toEqual({ whole: true });
    const request = requests[0]!;
    expect(request.method).toBe('PUT');
    expect(request.url).toBe('https://chat.example/spoons/a%2Fb?organization_id=o1&tools%5B%5D=glue&tools%5B%5D=tape');
    expect(request.headers.get('authorization')).toBe('Bearer secret');
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(await request.json()).toEqual({ patient: true });
  });

  it('returns undefined for a response without a body', async () => {
    expect(await answering(204, null).call(mendSpoon, input)).toBeUndefined();
  });

  it('throws an error with the status and the body of an error response', async () => {
    const refusal = answering(409, '{"error":"gone"}').call(mendSpoon, input);
    await expect(refusal).rejects.toBeInstanceOf(CallFailedError);
    await expect(refusal).rejects.toMatchObject({ status: 409, body: { error: 'gone' } });
  });
});
