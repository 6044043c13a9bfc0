/** Where dots before the @ make no other mailbox, by all the names that it has. */
const WITHOUT_DOTS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/** Where mail for it ends up: capital letters and what follows a plus make no other address, nor do dots where nobody minds them. */
const mailboxOf = (email: string): string => {
  const whole = email.trim().toLowerCase();
  const at = whole.lastIndexOf('@');
  const local = whole.slice(0, at).replace(/\+.*$/, '');
  const host = whole.slice(at + 1);
  const known = WITHOUT_DOTS.get(host);
  return known ? `${local.replaceAll('.', '')}@${known}` : `${local}@${host}`;
};

/** Whether one of a partner's addresses is this one. */
export const isSamePerson = (email: string, partner: (string | null)[]): boolean =>
  partner.some((known) => known !== null && mailboxOf(known) === mailboxOf(email));
