import { randomBytes } from 'node:crypto';
import { isShortId } from '../../../ids.ts';
import type { OrganizationScope, Services } from '../../../scope.ts';
import { equalSecrets } from '../../../secrets.ts';

const SIGNATURE_DIGITS = 20;

/** In letters of one case: mail servers may change it. */
const signatureOf = ({ secrets }: Pick<Services, 'secrets'>, organizationId: string, ticketId: string): string =>
  Buffer.from(secrets.sign(`mail for ticket ${organizationId} ${ticketId}`), 'base64url')
    .toString('hex')
    .slice(0, SIGNATURE_DIGITS);

/** Splits at the last `@`; case does not count, and some servers put quotes around what stands before it. */
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

/** Where answers about a ticket come back to: nobody can make one up. Undefined: this installation takes no mail. */
export const ticketAddress = async (scope: OrganizationScope, ticketId: string): Promise<string | undefined> => {
  const { mailDomain } = scope.services;
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

/** The ticket that an address was made for by us; undefined for any other address, forged ones too. */
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

/** Every mail has one of its own, and answers to it name it. */
export const newMessageId = ({ mailDomain, publicUrl }: Pick<Services, 'mailDomain' | 'publicUrl'>): string =>
  `<parley-${randomBytes(16).toString('hex')}@${mailDomain ?? hostOf(publicUrl())}>`;
