import { randomBytes } from 'node:crypto';
import { isShortId } from '../../../ids.ts';
import type { Installation, OrganizationScope, Services } from '../../../scope.ts';
import { equalSecrets } from '../../../secrets.ts';

const SIGNATURE_DIGITS = 20;

/** Lowercase, since mail servers may change the case. */
const signatureOf = ({ secrets }: Pick<Services, 'secrets'>, organizationId: string, ticketId: string): string =>
  Buffer.from(secrets.sign(`mail for ticket ${organizationId} ${ticketId}`), 'base64url')
    .toString('hex')
    .slice(0, SIGNATURE_DIGITS);

/** Splits at the last `@`, ignoring case; some servers quote the local part. */
export const splitAddress = (address: string): { base: string; tag: string; host: string } => {
  const text = address.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  const local = (at === -1 ? text : text.slice(0, at)).replace(/^"(.*)"$/, '$1');
  const plus = local.indexOf('+');
  return {
    base: plus === -1 ? local : local.slice(0, plus),
    tag: plus === -1 ? '' : local.slice(plus + 1),
    host: at === -1 ? '' : text.slice(at + 1),
  };
};

/** The signed reply address of a ticket; undefined if this installation receives no mail. */
export const ticketAddress = async (scope: OrganizationScope, ticketId: string): Promise<string | undefined> => {
  const { mailDomain } = scope.services.installation;
  const { licenseNumber, mailAddress } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select(['licenseNumber', 'mailAddress'])
    .executeTakeFirstOrThrow();
  const own = mailDomain ? `${licenseNumber}@${mailDomain}` : mailAddress;
  if (!own) return undefined;
  const { base, host } = splitAddress(own);
  const signature = signatureOf(scope.services, scope.organizationId, ticketId);
  return `${base}+${ticketId.toLowerCase()}.${signature}@${host}`;
};

/** The ticket of a reply address; undefined for other and forged addresses. */
export const readTicketAddress = (
  { services, organizationId }: Pick<OrganizationScope, 'services' | 'organizationId'>,
  address: string,
): string | undefined => {
  const [id = '', signature = '', ...more] = splitAddress(address).tag.split('.');
  const ticketId = id.toUpperCase();
  if (!isShortId(ticketId) || more.length > 0) return undefined;
  return equalSecrets(signature, signatureOf(services, organizationId, ticketId)) ? ticketId : undefined;
};

const hostOf = (url: string): string => URL.parse(url)?.hostname || 'localhost';

/** Every mail gets a unique Message-ID, which replies refer to. */
export const newMessageId = ({ mailDomain, publicUrl }: Pick<Installation, 'mailDomain' | 'publicUrl'>): string =>
  `<parley-${randomBytes(16).toString('hex')}@${mailDomain ?? hostOf(publicUrl())}>`;
