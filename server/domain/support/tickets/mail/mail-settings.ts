import { isUniqueViolation } from '#server/storage/database-errors.ts';
import { requireAdministrator, requireAgent } from '../../../access.ts';
import { DomainError, invalid } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { isEmail } from '../../forms/email.ts';
import { splitAddress } from './mail-address.ts';

export interface MailSettings {
  /** An address at the installation's domain; absent if it has none. */
  numberedAddress?: string;
  /** The account's own address, which forwards its mail to us. */
  ownAddress?: string;
}

export const getMailSettings = async (scope: OrganizationScope): Promise<MailSettings> => {
  requireAgent(scope.actor);
  const { licenseNumber, mailAddress } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select(['licenseNumber', 'mailAddress'])
    .executeTakeFirstOrThrow();
  const { mailDomain } = scope.services.installation;
  return {
    ...(mailDomain ? { numberedAddress: `${licenseNumber}@${mailDomain}` } : {}),
    ...(mailAddress ? { ownAddress: mailAddress } : {}),
  };
};

/** Leaves room for the tag after the plus sign. */
const MAX_LOCAL_CHARACTERS = 30;

const checkAddress = (input: string, mailDomain: string | undefined): string => {
  const address = input.trim().toLowerCase();
  const { base, tag, host } = splitAddress(address);
  if (!isEmail(address)) throw invalid('address', 'must be an email address');
  if (tag !== '' || base.length > MAX_LOCAL_CHARACTERS)
    throw invalid('address', `must have at most ${MAX_LOCAL_CHARACTERS} characters and no + before the @`);
  if (host === mailDomain) throw invalid('address', 'must not belong to the mail domain of this installation');
  return address;
};

/** Each address can belong to only one account. */
export const setMailAddress = async (
  scope: OrganizationScope,
  { address }: { address: string | null },
): Promise<MailSettings> => {
  requireAdministrator(scope.actor);
  const mailAddress = address === null ? null : checkAddress(address, scope.services.installation.mailDomain);
  try {
    await scope.db.updateTable('organizations').where('id', '=', scope.organizationId).set({ mailAddress }).execute();
  } catch (error) {
    if (isUniqueViolation(error, 'organizations_mail_address'))
      throw new DomainError('conflict', 'The address belongs to another account');
    throw error;
  }
  return getMailSettings(scope);
};
