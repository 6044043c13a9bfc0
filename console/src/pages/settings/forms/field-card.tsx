import { Checkbox, Group, TextInput } from '@mantine/core';
import { RemoveButton } from '../../../design/icon-button.tsx';
import { MoveButtons } from '../../../editing/move-buttons.tsx';
import { t } from '../t.ts';
import { FIELD_TYPES, type FieldDraft, hasOptions } from './form-draft.ts';
import classes from './forms.module.css';
import { OptionFields } from './option-fields.tsx';

interface FieldCardProps {
  field: FieldDraft;
  index: number;
  count: number;
  onChange(field: FieldDraft): void;
  onMove(to: number): void;
  onRemove(): void;
  errorFor(field: string): string | undefined;
}

/** One field of a form. */
export const FieldCard = ({ field, index, count, onChange, onMove, onRemove, errorFor }: FieldCardProps) => {
  const number = index + 1;
  const name = t('fieldNumber', { number });
  return (
    <li className={classes.field}>
      <div className={classes.head}>
        <span className={classes.type}>
          {number}. {FIELD_TYPES[field.type]}
        </span>
        <Group gap={2} wrap="nowrap">
          <MoveButtons
            upLabel={t('moveFieldNumberUp', { number })}
            downLabel={t('moveFieldNumberDown', { number })}
            index={index}
            count={count}
            onMove={onMove}
          />
          <RemoveButton label={t('removeFieldNumber', { number })} onClick={onRemove} />
        </Group>
      </div>
      <TextInput
        aria-label={t('fieldNumberLabel', { number })}
        placeholder={t('labelShownToCustomers')}
        maxLength={1000}
        value={field.label}
        onChange={({ currentTarget }) => onChange({ ...field, label: currentTarget.value })}
        error={errorFor('label') ?? errorFor('type')}
      />
      {hasOptions(field.type) && (
        <OptionFields
          question={name}
          options={field.options}
          withGroups={field.type === 'group_chooser'}
          onChange={(options) => onChange({ ...field, options })}
          errorFor={errorFor}
        />
      )}
      {field.type === 'rating' && (
        <TextInput
          mt="xs"
          label={t('commentPrompt')}
          description={t('leaveEmptyToSkipTheComment')}
          value={field.comment_label}
          onChange={({ currentTarget }) => onChange({ ...field, comment_label: currentTarget.value })}
          error={errorFor('comment_label')}
        />
      )}
      {field.type !== 'header' && (
        <Checkbox
          mt="sm"
          label={t('requiredField')}
          checked={field.required}
          onChange={({ currentTarget }) => onChange({ ...field, required: currentTarget.checked })}
        />
      )}
    </li>
  );
};
