import type { Form } from '#contracts/customer/forms.ts';
import { type FieldErrors, required } from '../../../editing/field-errors.ts';
import { t } from '../t.ts';

type Field = Form['fields'][number];
export type FieldType = Field['type'];
export type FormType = 'prechat' | 'postchat' | 'ticket';

export interface OptionDraft {
  id: string;
  label: string;
  group_id: number;
}

export interface FieldDraft {
  id: string;
  type: FieldType;
  label: string;
  required: boolean;
  options: OptionDraft[];
  comment_label: string;
}

export interface FormDraft {
  enabled: boolean;
  fields: FieldDraft[];
}

export const FIELD_TYPES: Record<FieldType, string> = {
  header: t('heading'),
  name: t('customerName'),
  email: t('email'),
  subject: t('subject'),
  question: t('shortText'),
  textarea: t('longText'),
  select: t('dropdown'),
  radio: t('radioButtons'),
  checkbox: t('checkboxes'),
  group_chooser: t('groupSelection'),
  rating: t('chatRating'),
};

/** Fields that set a property of the customer, chat or ticket; a form has each at most once. */
const UNIQUE_TYPES: FieldType[] = ['name', 'email', 'subject', 'group_chooser', 'rating'];
const CHOICES: FieldType[] = ['select', 'radio', 'checkbox', 'group_chooser'];

export const hasOptions = (type: FieldType): boolean => CHOICES.includes(type);

/** Field types that can still be added to a form. */
export const addableTypes = (form: FormType, fields: FieldDraft[]): FieldType[] =>
  (Object.keys(FIELD_TYPES) as FieldType[]).filter((type) => {
    if (type === 'rating' && form !== 'postchat') return false;
    if (type === 'group_chooser' && form === 'postchat') return false;
    return !(UNIQUE_TYPES.includes(type) && fields.some((field) => field.type === type));
  });

const newId = (): string => crypto.randomUUID().slice(0, 8);

export const newOption = (): OptionDraft => ({ id: newId(), label: '', group_id: 0 });

const LABELS: Partial<Record<FieldType, string>> = {
  name: t('name'),
  email: t('email'),
  subject: t('subject'),
  group_chooser: t('chooseADepartment'),
  rating: t('rateThisChat'),
};

export const newField = (type: FieldType): FieldDraft => ({
  id: newId(),
  type,
  label: LABELS[type] ?? '',
  required: false,
  options: hasOptions(type) ? [newOption(), newOption()] : [],
  comment_label: '',
});

export const readForm = (enabled: boolean, { fields }: Pick<Form, 'fields'>): FormDraft => ({
  enabled,
  fields: fields.map(({ id, type, label, required: isRequired = false, options = [], comment_label = '' }) => ({
    ...{ id, type, label, comment_label, required: isRequired },
    options: options.map(({ group_id = 0, ...option }) => ({ ...option, group_id })),
  })),
});

/** Only the members that each field type has. */
export const writeFields = (fields: FieldDraft[]): Field[] =>
  fields.map(({ id, type, label, required: isRequired, options, comment_label }) => ({
    ...{ type, id, label: label.trim() },
    ...(type === 'header' ? {} : { required: isRequired }),
    ...(hasOptions(type)
      ? {
          options: options.map(({ group_id, ...option }) =>
            type === 'group_chooser' ? { ...option, group_id } : option,
          ),
        }
      : {}),
    ...(type === 'rating' && comment_label.trim() ? { comment_label: comment_label.trim() } : {}),
  }));

/** Uses the field paths of the server. */
export const checkFields = (fields: FieldDraft[]): FieldErrors => {
  const errors: FieldErrors = {};
  if (fields.length === 0) errors.fields = t('addAtLeastOneField');
  for (const [index, { type, label, options }] of fields.entries()) {
    const at = `fields.${index}`;
    const empty = required(label);
    if (empty) errors[`${at}.label`] = empty;
    if (!hasOptions(type)) continue;
    if (options.length === 0) errors[`${at}.options`] = t('addAtLeastOneOption');
    for (const [optionIndex, option] of options.entries()) {
      const unnamed = required(option.label);
      if (unnamed) errors[`${at}.options.${optionIndex}.label`] = unnamed;
    }
  }
  return errors;
};
