import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32 } from '../values.ts';
import { customerQuery } from './query.ts';

export const getUrlInfo = defineOperation({
  name: 'get_url_info',
  method: 'POST',
  path: '/v3.5/customer/action/get_url_info',
  summary: 'What a preview of a link shows; only what the page tells',
  query: customerQuery,
  body: Type.Object({ url: Type.String({ format: 'uri', maxLength: 2000 }) }),
  responses: {
    200: Type.Object({
      title: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      image_url: Type.Optional(Type.String({ description: 'A small copy, served by us' })),
      image_original_url: Type.Optional(Type.String()),
      image_width: Type.Optional(Int32({ description: 'Of the small copy' })),
      image_height: Type.Optional(Int32({ description: 'Of the small copy' })),
      url: Type.String({ description: 'Of the page itself, after redirects' }),
    }),
  },
});
