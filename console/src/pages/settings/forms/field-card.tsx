import { ActionIcon, Checkbox, Group, TextInput } from '@mantine/core';
import { Icon } from '../../../design/icon.tsx';
import { MoveButtons } from '../../../editing/move-buttons.tsx';
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
  fault(field: string): string | undefined;
}

/** One question of a form. */
export const FieldCard = ({ field, index, count, onChange, onMove, onRemove, fault }: FieldCardProps) => {
  const name = `Field ${index + 1}`;
  return (
    <li className={classes.field}>
      <div className={classes.head}>
        <span className={classes.type}>
          {index + 1}. {FIELD_TYPES[field.type]}
        </span>
        <Group gap={2} wrap="nowrap">
          <MoveButtons what={`field ${index + 1}`} index={index} count={count} onMove={onMove} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove field ${index + 1}`}
            onClick={onRemove}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        </Group>
      </div>
      <TextInput
        aria-label={`${name}: text`}
        placeholder="What customers read"
        maxLength={1000}
        value={field.label}
        onChange={({ currentTarget }) => onChange({ ...field, label: currentTarget.value })}
        error={fault('label') ?? fault('type')}
      />
      {hasOptions(field.type) && (
        <OptionFields
          question={name}
          options={field.options}
          withGroups={field.type === 'group_chooser'}
          onChange={(options) => onChange({ ...field, options })}
          fault={fault}
        />
      )}
      {field.type === 'rating' && (
        <TextInput
          mt="xs"
          label="Invitation to a comment"
          description="Empty: no comment is asked for."
          value={field.comment_label}
          onChange={({ currentTarget }) => onChange({ ...field, comment_label: currentTarget.value })}
          error={fault('comment_label')}
        />
      )}
      {field.type !== 'header' && (
        <Checkbox
          mt="sm"
          label="Must be answered"
          checked={field.required}
          onChange={({ currentTarget }) => onChange({ ...field, required: currentTarget.checked })}
        />
      )}
    </li>
  );
};
