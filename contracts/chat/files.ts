import { Type } from 'typebox';

export const UploadedFile = Type.Object({
  url: Type.String({ description: 'For a `file` event. Gone after 24 hours unless one is sent with it by then' }),
});

export const uploadDescription =
  'Programs and scripts are refused. Only over HTTP: a socket cannot carry the form. What is sent in a `file` event lives on.';
