/** Domains whose mailboxes ignore dots before the @, with their main domain. */
const WITHOUT_DOTS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/** The mailbox of an address: ignores case, a `+` suffix and, for some domains, dots. */
const mailboxOf = (email: string): string => {
  const whole = email.trim().toLowerCase();
  const at = whole.lastIndexOf('@');
  const local = whole.slice(0, at).replace(/\+.*$/, '');
  const host = whole.slice(at + 1);
  const domain = WITHOUT_DOTS.get(host);
  return domain ? `${local.replaceAll('.', '')}@${domain}` : `${local}@${host}`;
};

/** Whether the email address belongs to the partner. */
export const isSamePerson = (email: string, partner: (string | null)[]): boolean =>
  partner.some((address) => address !== null && mailboxOf(address) === mailboxOf(email));
