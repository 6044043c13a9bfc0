/** Several values of one filter, separated by line breaks. */
export const splitValues = (text: string | undefined): string[] => (text ? text.split('\n') : []);
export const joinValues = (values: string[]): string | undefined => values.join('\n') || undefined;

const DAY = /^[12]\d{3}-\d{2}-\d{2}$/;

/** The value if it is a day such as `2026-11-16`. */
export const dayOf = (text: string | undefined): string | undefined => (text && DAY.test(text) ? text : undefined);

/** The value if it is one of those that the API knows. */
export const oneOf = <T extends string>(text: string | undefined, all: readonly T[]): T | undefined =>
  all.find((one) => one === text);
