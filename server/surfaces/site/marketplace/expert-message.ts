import { isEmail } from '#server/domain/support/forms/email.ts';

export interface MessageForm {
  name: string;
  email: string;
  text: string;
}

export interface InvalidForm {
  typed: MessageForm;
  /** By field. */
  errors: Partial<Record<keyof MessageForm, string>>;
}

const MAX = { name: 200, email: 254, text: 5000 };

/** Line breaks in a name could inject lines into the email. */
const readField = (body: unknown, field: keyof MessageForm): string => {
  const value = (body as Record<string, unknown> | null)?.[field];
  if (typeof value !== 'string') return '';
  return (field === 'text' ? value : value.replace(/\s+/g, ' ')).trim().slice(0, MAX[field] + 1);
};

/** Returns the message or its errors. */
export const readMessage = (body: unknown): { message?: MessageForm; errors?: InvalidForm } => {
  const typed = { name: readField(body, 'name'), email: readField(body, 'email'), text: readField(body, 'text') };
  const errors: InvalidForm['errors'] = {};
  for (const field of ['name', 'email', 'text'] as const) {
    if (typed[field] === '') errors[field] = 'This field is required';
    else if (typed[field].length > MAX[field]) errors[field] = `Use at most ${MAX[field]} characters`;
  }
  if (!errors.email && !isEmail(typed.email)) errors.email = 'Enter a valid email address';
  return Object.keys(errors).length === 0 ? { message: typed } : { errors: { typed, errors } };
};
