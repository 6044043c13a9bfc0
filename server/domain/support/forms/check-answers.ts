import type { FieldError } from '../../errors.ts';
import { isEmail } from './email.ts';
import type { Form, FormField, TextField } from './records.ts';

const MAX_ANSWERS = 100;
const MAX_COMMENT_LENGTH = 4096;
const maxIn: Record<TextField['type'], number> = {
  name: 200,
  email: 254,
  question: 4096,
  subject: 500,
  textarea: 16384,
};
const ratings = ['good', 'bad'];

type Sent = Record<string, unknown>;
type ErrorMessage = string | undefined;

const isObject = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ids are texts, but some clients send numbers. Other values may not even convert to text. */
const idOf = (value: unknown): string | undefined => {
  const id = isObject(value) ? value.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

/** Some clients send unanswered fields as null or an empty text. */
const isOpen = (answer: unknown): boolean =>
  answer === undefined || answer === null || (typeof answer === 'string' && answer.trim() === '');

const checkText = (type: TextField['type'], answer: unknown): ErrorMessage => {
  if (typeof answer !== 'string') return 'must be a string';
  if ([...answer].length > maxIn[type]) return `must not exceed ${maxIn[type]} characters`;
  if (type === 'email' && !isEmail(answer.trim())) return 'must be an email address';
};

const checkChoice = (ids: readonly string[], answer: unknown): ErrorMessage =>
  ids.includes(idOf(answer) ?? '') ? undefined : 'must be one of the options';

const checkChoices = (ids: readonly string[], answers: unknown): ErrorMessage => {
  if (!Array.isArray(answers) || answers.length > ids.length) return 'must be a list of options';
  const chosen = new Set(answers.map(idOf));
  if (chosen.size < answers.length) return 'must not contain an option twice';
  return answers.map((answer) => checkChoice(ids, answer)).find((message) => message !== undefined);
};

const checkRating = ({ answer, comment }: Sent): ErrorMessage => {
  if (!isOpen(comment) && (typeof comment !== 'string' || [...comment].length > MAX_COMMENT_LENGTH)) {
    return `must have a comment of at most ${MAX_COMMENT_LENGTH} characters`;
  }
  return isOpen(answer) ? undefined : checkChoice(ratings, answer);
};

/** Whether the field was answered; headers have no answer. */
const isAnswered = (field: FormField, sent: Sent | undefined): boolean => {
  if (field.type !== 'checkbox') return !isOpen(sent?.answer);
  return Array.isArray(sent?.answers) ? sent.answers.length > 0 : !isOpen(sent?.answers);
};

const checkAnswer = (field: FormField, sent: Sent): ErrorMessage => {
  if (sent.type !== field.type) return `must be of type \`${field.type}\``;
  if (field.type === 'header') return undefined;
  if (field.type === 'rating') return checkRating(sent);
  if (!isAnswered(field, sent)) return undefined;
  if (field.type === 'checkbox') {
    return checkChoices(
      field.options.map(({ id }) => id),
      sent.answers,
    );
  }
  if (!('options' in field)) return checkText(field.type, sent.answer);
  return checkChoice(
    field.options.map(({ id }) => id),
    sent.answer,
  );
};

/**
 * Validates a filled form and returns errors by field id. Answers have the form that clients send: `answer` is a text,
 * or an option `{id}` for one choice and a rating (`good`, `bad`, with an optional `comment`); checkboxes have
 * `answers`.
 */
export const checkAnswers = (form: Form, fields: readonly unknown[]): FieldError[] => {
  if (fields.length > MAX_ANSWERS)
    return [{ field: 'fields', message: `must not have more than ${MAX_ANSWERS} items` }];
  const fieldById = new Map(form.fields.map((field) => [field.id, field]));
  const sentById = new Map<string, Sent>();
  const errors: FieldError[] = [];
  for (const [index, sent] of fields.entries()) {
    const field = fieldById.get(idOf(sent) ?? '');
    if (!field || !isObject(sent)) {
      errors.push({ field: `fields.${index}`, message: 'is not a field of this form' });
      continue;
    }
    const message = sentById.has(field.id) ? 'must be answered only once' : checkAnswer(field, sent);
    if (message) errors.push({ field: `fields.${field.id}`, message });
    sentById.set(field.id, sent);
  }
  for (const field of form.fields) {
    if (field.type !== 'header' && field.required && !isAnswered(field, sentById.get(field.id))) {
      errors.push({ field: `fields.${field.id}`, message: 'is required' });
    }
  }
  return errors;
};
