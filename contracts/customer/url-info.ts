import { Type } from 'typebox';
import { Int32 } from '../values.ts';
import { customerAction } from './operation.ts';

export const getUrlInfo = customerAction({
  name: 'get_url_info',
  rateLimit: 'url_preview',
  summary: 'Returns the title, description and image of a web page for a link preview',
  body: Type.Object({ url: Type.String({ format: 'uri', maxLength: 2000 }) }),
  responses: {
    200: Type.Object({
      title: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      image_url: Type.Optional(Type.String({ description: 'A resized copy, served by this server' })),
      image_original_url: Type.Optional(Type.String()),
      image_width: Type.Optional(Int32({ description: 'Width of the resized copy' })),
      image_height: Type.Optional(Int32({ description: 'Height of the resized copy' })),
      url: Type.String({ description: 'The final URL after redirects' }),
    }),
  },
});
