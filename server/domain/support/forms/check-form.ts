import type { FieldError } from '../../errors.ts';
import type { Form, FormField, FormOption, FormType } from './records.ts';

const MAX_FIELDS = 50;
const MAX_OPTIONS = 100;
const MAX_ID_LENGTH = 64;
const MAX_LABEL_LENGTH = 1000;
/** The maximum id of a group. */
const MAX_GROUP_ID = 2_147_483_647;

/** Types that may occur only once, because the answer is stored with the customer, chat or ticket. */
const singular: FormField['type'][] = ['name', 'email', 'subject', 'group_chooser', 'rating'];

const repeated = <T>(list: readonly T[]): Set<T> => new Set(list.filter((item, index) => list.indexOf(item) !== index));

const tooLong = (text: string, maxLength: number): boolean => [...text].length > maxLength;

const checkNames = (at: string, named: FormOption): FieldError[] => {
  const errors: FieldError[] = [];
  if (named.id.trim() === '' || tooLong(named.id, MAX_ID_LENGTH)) {
    errors.push({ field: `${at}.id`, message: `must have 1 to ${MAX_ID_LENGTH} characters` });
  }
  if (named.label.trim() === '' || tooLong(named.label, MAX_LABEL_LENGTH)) {
    errors.push({ field: `${at}.label`, message: `must have 1 to ${MAX_LABEL_LENGTH} characters` });
  }
  return errors;
};

const checkOptions = (at: string, options: readonly (FormOption & { groupId?: number })[]): FieldError[] => {
  if (options.length === 0 || options.length > MAX_OPTIONS) {
    return [{ field: at, message: `must have 1 to ${MAX_OPTIONS} items` }];
  }
  const twice = repeated(options.map(({ id }) => id));
  return options.flatMap((option, index) => {
    const errors = checkNames(`${at}.${index}`, option);
    if (twice.has(option.id)) errors.push({ field: `${at}.${index}.id`, message: 'must be unique' });
    const { groupId = 0 } = option;
    if (!Number.isInteger(groupId) || groupId < 0 || groupId > MAX_GROUP_ID) {
      errors.push({ field: `${at}.${index}.group_id`, message: 'must be the id of a group' });
    }
    return errors;
  });
};

const checkField = (at: string, type: FormType, field: FormField): FieldError[] => {
  const errors = checkNames(at, field);
  if ('options' in field) errors.push(...checkOptions(`${at}.options`, field.options));
  if (field.type === 'rating' && tooLong(field.commentLabel ?? '', MAX_LABEL_LENGTH)) {
    errors.push({ field: `${at}.comment_label`, message: `must not exceed ${MAX_LABEL_LENGTH} characters` });
  }
  if (field.type === 'rating' && type !== 'postchat') {
    errors.push({ field: `${at}.type`, message: 'is allowed only in post-chat forms' });
  }
  if (field.type === 'group_chooser' && type === 'postchat') {
    errors.push({ field: `${at}.type`, message: 'is allowed only in pre-chat forms' });
  }
  return errors;
};

/** Validates a form definition. */
export const checkForm = (type: FormType, form: Form): FieldError[] => {
  const { fields } = form;
  if (fields.length === 0 || fields.length > MAX_FIELDS) {
    return [{ field: 'fields', message: `must have 1 to ${MAX_FIELDS} items` }];
  }
  const twice = repeated(fields.map(({ id }) => id));
  const typesTwice = repeated(fields.map((field) => field.type).filter((fieldType) => singular.includes(fieldType)));
  return fields.flatMap((field, index) => {
    const at = `fields.${index}`;
    const errors = checkField(at, type, field);
    if (twice.has(field.id)) errors.push({ field: `${at}.id`, message: 'must be unique' });
    if (typesTwice.has(field.type)) errors.push({ field: `${at}.type`, message: 'may occur only once' });
    return errors;
  });
};
