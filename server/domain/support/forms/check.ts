import type { FieldFault } from '../../errors.ts';
import type { Form, FormField, FormOption, FormType } from './records.ts';

const MOST_FIELDS = 50;
const MOST_OPTIONS = 100;
const MOST_IN_ID = 64;
const MOST_IN_LABEL = 1000;
/** An organization cannot have more groups than its ids count. */
const HIGHEST_GROUP_ID = 2_147_483_647;

/** What may be asked only once, because its answer becomes the customer's, the chat's or the ticket's. */
const singular: FormField['type'][] = ['name', 'email', 'subject', 'group_chooser', 'rating'];

const repeated = <T>(list: readonly T[]): Set<T> => new Set(list.filter((item, index) => list.indexOf(item) !== index));

const tooLong = (text: string, most: number): boolean => [...text].length > most;

const checkNames = (at: string, named: FormOption): FieldFault[] => {
  const faults: FieldFault[] = [];
  if (named.id.trim() === '' || tooLong(named.id, MOST_IN_ID)) {
    faults.push({ field: `${at}.id`, message: `must have 1 to ${MOST_IN_ID} characters` });
  }
  if (named.label.trim() === '' || tooLong(named.label, MOST_IN_LABEL)) {
    faults.push({ field: `${at}.label`, message: `must have 1 to ${MOST_IN_LABEL} characters` });
  }
  return faults;
};

const checkOptions = (at: string, options: readonly (FormOption & { groupId?: number })[]): FieldFault[] => {
  if (options.length === 0 || options.length > MOST_OPTIONS) {
    return [{ field: at, message: `must have 1 to ${MOST_OPTIONS} items` }];
  }
  const twice = repeated(options.map(({ id }) => id));
  return options.flatMap((option, index) => {
    const faults = checkNames(`${at}.${index}`, option);
    if (twice.has(option.id)) faults.push({ field: `${at}.${index}.id`, message: 'must be unique' });
    const { groupId = 0 } = option;
    if (!Number.isInteger(groupId) || groupId < 0 || groupId > HIGHEST_GROUP_ID) {
      faults.push({ field: `${at}.${index}.group_id`, message: 'must be the id of a group' });
    }
    return faults;
  });
};

const checkField = (at: string, type: FormType, field: FormField): FieldFault[] => {
  const faults = checkNames(at, field);
  if ('options' in field) faults.push(...checkOptions(`${at}.options`, field.options));
  if (field.type === 'rating' && tooLong(field.commentLabel ?? '', MOST_IN_LABEL)) {
    faults.push({ field: `${at}.comment_label`, message: `must not exceed ${MOST_IN_LABEL} characters` });
  }
  if (field.type === 'rating' && type !== 'postchat') {
    faults.push({ field: `${at}.type`, message: 'a chat can be rated only after it' });
  }
  if (field.type === 'group_chooser' && type === 'postchat') {
    faults.push({ field: `${at}.type`, message: 'a group can be chosen only before a chat' });
  }
  return faults;
};

/** What is wrong with a form that someone has drawn up. */
export const checkForm = (type: FormType, form: Form): FieldFault[] => {
  const { fields } = form;
  if (fields.length === 0 || fields.length > MOST_FIELDS) {
    return [{ field: 'fields', message: `must have 1 to ${MOST_FIELDS} items` }];
  }
  const twice = repeated(fields.map(({ id }) => id));
  const typesTwice = repeated(fields.map((field) => field.type).filter((fieldType) => singular.includes(fieldType)));
  return fields.flatMap((field, index) => {
    const at = `fields.${index}`;
    const faults = checkField(at, type, field);
    if (twice.has(field.id)) faults.push({ field: `${at}.id`, message: 'must be unique' });
    if (typesTwice.has(field.type)) faults.push({ field: `${at}.type`, message: 'may occur only once' });
    return faults;
  });
};
