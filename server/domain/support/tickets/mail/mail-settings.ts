import { isUniqueViolation } from '#server/storage/database-errors.ts';
import { requireAdministrator, requireAgent } from '../../../access.ts';
import { assertMayMail } from '../../../accounts/addresses/assert-may-mail.ts';
import { consumeAddressCode, mailConfirmation } from '../../../accounts/addresses/confirmations.ts';
import { DomainError, invalid } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { isEmail } from '../../forms/email.ts';
import { splitAddress } from './mail-address.ts';

export interface MailSettings {
  /** An address at the installation's domain; absent if it has none. */
  numberedAddress?: string;
  /** The account's own address, which forwards its mail to us. */
  ownAddress?: string;
  /** An address that waits for confirmation. Mail to it is not accepted yet. */
  claimedAddress?: string;
}

export const getMailSettings = async (scope: OrganizationScope): Promise<MailSettings> => {
  requireAgent(scope.actor);
  const { licenseNumber, mailAddress, claimedMailAddress } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select(['licenseNumber', 'mailAddress', 'claimedMailAddress'])
    .executeTakeFirstOrThrow();
  const { mailDomain } = scope.services.installation;
  return {
    ...(mailDomain ? { numberedAddress: `${licenseNumber}@${mailDomain}` } : {}),
    ...(mailAddress ? { ownAddress: mailAddress } : {}),
    ...(claimedMailAddress ? { claimedAddress: claimedMailAddress } : {}),
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

const writeAddresses = async (
  { db, organizationId }: OrganizationScope,
  addresses: { mailAddress?: string | null; claimedMailAddress: string | null },
): Promise<void> => {
  await db.updateTable('organizations').where('id', '=', organizationId).set(addresses).execute();
};

/**
 * Mails a code to a new address, which is used once the code is entered. Until then the previous address stays. Several
 * accounts may claim the same address, but only one can confirm it.
 */
export const setMailAddress = async (
  scope: OrganizationScope,
  { address }: { address: string | null },
): Promise<MailSettings> => {
  requireAdministrator(scope.actor);
  const claimed = address === null ? null : checkAddress(address, scope.services.installation.mailDomain);
  return scope.transaction(async (tx) => {
    if (claimed === null) {
      await writeAddresses(tx, { mailAddress: null, claimedMailAddress: null });
    } else if (claimed === (await getMailSettings(tx)).ownAddress) {
      await writeAddresses(tx, { claimedMailAddress: null });
    } else {
      await assertMayMail(tx);
      await writeAddresses(tx, { claimedMailAddress: claimed });
      const claim = { kind: 'support_address', ownerId: tx.organizationId, subjectId: '', address: claimed } as const;
      await mailConfirmation(tx, claim);
    }
    return getMailSettings(tx);
  });
};

/** Uses the claimed address from now on. Callers limit the attempts. */
export const confirmMailAddress = async (
  scope: OrganizationScope,
  { code }: { code: string },
): Promise<MailSettings> => {
  requireAdministrator(scope.actor);
  try {
    return await scope.transaction(async (tx) => {
      const { claimedAddress } = await getMailSettings(tx);
      const confirmed = await consumeAddressCode(tx, tx.organizationId, code.trim());
      if (confirmed === undefined || confirmed !== claimedAddress)
        throw invalid('code', 'must be the code that was mailed to the address');
      await writeAddresses(tx, { mailAddress: confirmed, claimedMailAddress: null });
      return getMailSettings(tx);
    });
  } catch (error) {
    if (isUniqueViolation(error, 'organizations_mail_address'))
      throw new DomainError('conflict', 'The address belongs to another account. Ask the operator to release it');
    throw error;
  }
};
