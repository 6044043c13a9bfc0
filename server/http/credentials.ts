import type { FastifyRequest } from 'fastify';

/** The token of `Authorization: Bearer …`. */
export const readBearer = (request: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer +([^\s]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];

/** User name and password of `Authorization: Basic …`. */
export const readBasic = (request: Pick<FastifyRequest, 'headers'>): { user: string; password: string } | undefined => {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]{1,1024})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
};
