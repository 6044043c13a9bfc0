import { Type } from 'typebox';
import { Int32 } from '../values.ts';
import { customerAction } from './operation.ts';

export const getUrlInfo = customerAction({
  name: 'get_url_info',
  rateLimit: 'url_preview',
  summary: 'What a preview of a link shows; only what the page tells',
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
