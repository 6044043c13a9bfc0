/** Where mail for it ends up: capital letters and what follows a plus make no other address. */
const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).replace(/\+.*$/, '');
  return `${local}@${email.slice(at + 1)}`.trim().toLowerCase();
};

/** Whether one of a partner's addresses is this one. */
export const isSamePerson = (email: string, partner: (string | null)[]): boolean =>
  partner.some((known) => known !== null && mailboxOf(known) === mailboxOf(email));
