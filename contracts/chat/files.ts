import { Type } from 'typebox';

export const UploadedFile = Type.Object({
  url: Type.String({ description: 'For a `file` event. Deleted after 24 hours unless it was sent in an event' }),
});

export const uploadDescription =
  'Executables and scripts are rejected. Available over HTTP only. A file that is sent in a `file` event is kept.';
