/** What a browser sends to a provider. */
export interface Card {
  number: string;
  month: string;
  year: string;
  verificationValue: string;
}

export type Behavior = 'fine' | 'declined' | 'insufficient_funds' | 'expired_card' | 'stolen_card' | 'late';

/** Test cards that fail when charged. Every other valid number succeeds. */
const BEHAVIORS: Record<string, Behavior> = {
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000009979': 'stolen_card',
  '4000000000000119': 'late',
};

export const reasons: Partial<Record<Behavior, string>> = {
  declined: 'The card was declined',
  insufficient_funds: 'The card has insufficient funds',
  expired_card: 'The card has expired',
  stolen_card: 'The card was reported stolen',
};

/** The Luhn check digit. */
const isLuhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;

const brandOf = (digits: string): string => {
  if (digits.startsWith('4')) return 'Visa';
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'Mastercard';
  return /^3[47]/.test(digits) ? 'American Express' : 'Card';
};

/** Validates a card and returns its display name and behavior. */
export const readCard = (card: Card, now: Date): { error: string } | { label: string; behavior: Behavior } => {
  const digits = card.number.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits) || !isLuhn(digits)) return { error: 'number is not a card number' };
  if (!/^(0[1-9]|1[0-2])$/.test(card.month)) return { error: 'month must be 01 to 12' };
  if (!/^\d{4}$/.test(card.year)) return { error: 'year must have four digits' };
  if (Date.UTC(Number(card.year), Number(card.month), 1) <= now.getTime()) return { error: 'the card has expired' };
  if (!/^\d{3,4}$/.test(card.verificationValue)) return { error: 'verification_value must have three or four digits' };
  return { label: `${brandOf(digits)} ending in ${digits.slice(-4)}`, behavior: BEHAVIORS[digits] ?? 'fine' };
};
