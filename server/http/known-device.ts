import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Secrets } from '#server/domain/secrets.ts';

const NAME = 'parley_device';
const MAX_AGE_SECONDS = 180 * 24 * 3600;

const signedText = (login: string, id: string): string => `known device ${id} ${login.trim().toLowerCase()}`;

/**
 * The id of a browser in which this login has signed in before; undefined otherwise. Attempts of known devices are
 * counted separately, so that others cannot lock an agent out by entering wrong passwords.
 */
export const readKnownDevice = (
  secrets: Secrets,
  { cookies }: Pick<FastifyRequest, 'cookies'>,
  login: string,
): string | undefined => {
  const [id = '', signature = ''] = (cookies[NAME] ?? '').split('.');
  return id !== '' && secrets.isSigned(signedText(login, id), signature) ? id : undefined;
};

/** Remembers that the login has signed in with this browser. The cookie does not contain the login and grants nothing. */
export const writeKnownDevice = (
  reply: FastifyReply,
  { secrets, login, tls }: { secrets: Secrets; login: string; tls: boolean },
): void => {
  const id = readKnownDevice(secrets, reply.request, login) ?? randomUUID();
  const value = `${id}.${secrets.sign(signedText(login, id))}`;
  reply.setCookie(NAME, value, { path: '/', httpOnly: true, sameSite: 'lax', secure: tls, maxAge: MAX_AGE_SECONDS });
};
