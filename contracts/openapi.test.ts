import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { type OpenApi, toOpenApi } from './openapi.ts';
import { defineOperation, type Operation, type SurfaceContract } from './operation.ts';

const listSpoons = defineOperation({
  name: 'list_spoons',
  method: 'GET',
  path: '/v1/spoons',
  summary: 'All spoons',
  query: Type.Object({ sizes: Type.Optional(Type.Array(Type.String())), drawer: Type.String() }),
  responses: { 200: Type.Array(Type.String()) },
});

const removeSpoon = defineOperation({
  name: 'remove_spoon',
  method: 'DELETE',
  path: '/v1/spoons/:id',
  summary: 'Removes a spoon',
  public: true,
  params: Type.Object({ id: Type.Integer({ description: 'Its number' }) }),
  responses: { 204: null },
  errors: [409],
});

const document = (...operations: Operation[]): OpenApi => {
  const surface: SurfaceContract = {
    name: 'kitchen',
    title: 'Kitchen API',
    version: '1',
    description: 'Spoons.',
    operations,
    error: Type.Object({ error: Type.String() }),
    errors: [401, 404],
    security: { token: { type: 'http', scheme: 'bearer' } },
  };
  return toOpenApi(surface);
};

describe('OpenAPI document', () => {
  const { paths, components, tags } = document(listSpoons, removeSpoon);

  it('adds brackets to list parameters and marks required parameters', () => {
    expect(paths['/v1/spoons']?.get?.parameters).toMatchObject([
      { name: 'sizes[]', in: 'query', required: false },
      { name: 'drawer', in: 'query', required: true },
    ]);
  });

  it('contains the path parameter, the empty response and the errors of an operation', () => {
    const operation = paths['/v1/spoons/{id}']?.delete;
    expect(operation?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, description: 'Its number', schema: { type: 'integer' } },
    ]);
    expect(operation?.responses['204']).toEqual({ description: 'Success' });
    expect(Object.keys(operation?.responses ?? {})).toEqual(['204', '404', '409']);
    expect(operation?.security).toEqual([]);
  });

  it('describes file uploads and downloads', () => {
    const bytes = { type: 'string', format: 'binary' };
    const draw = { ...removeSpoon, name: 'draw', path: '/v1/picture', method: 'POST', upload: true } as const;
    const show = { ...removeSpoon, name: 'show', path: '/v1/picture', method: 'GET', download: true } as const;
    const picture = document(draw, { ...show, responses: { 200: null, 304: null } }).paths['/v1/picture'];
    const schema = { type: 'object', required: ['file'], properties: { file: bytes } };
    expect(picture?.post?.requestBody).toEqual({ required: true, content: { 'multipart/form-data': { schema } } });
    expect(picture?.get?.responses).toMatchObject({
      200: { description: 'Success', content: { '*/*': { schema: bytes } } },
      304: { description: 'Not modified' },
    });
  });

  it('describes each error response once', () => {
    expect(Object.keys(components.responses)).toEqual(['Error401', 'Error404', 'Error409']);
  });

  it('groups operations by resource unless every group would hold one operation', () => {
    expect(tags).toEqual([{ name: 'spoons' }]);
    const stir = { ...listSpoons, name: 'stir', path: '/v1/stir' };
    expect(document(listSpoons, stir).tags).toBeUndefined();
  });
});
