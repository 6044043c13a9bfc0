import { Button, TextInput } from '@mantine/core';
import { ErrorText } from '../../../design/form.tsx';
import { RemoveButton } from '../../../design/icon-button.tsx';
import { GroupSelect } from '../group-select.tsx';
import { t } from '../t.ts';
import { newOption, type OptionDraft } from './form-draft.ts';
import classes from './forms.module.css';

interface OptionFieldsProps {
  /** Name of the field, for screen readers. */
  question: string;
  options: OptionDraft[];
  /** Each option routes to a group. */
  withGroups: boolean;
  onChange(options: OptionDraft[]): void;
  errorFor(field: string): string | undefined;
}

export const OptionFields = ({ question, options, withGroups, onChange, errorFor }: OptionFieldsProps) => {
  const change = (id: string, part: Partial<OptionDraft>): void =>
    onChange(options.map((option) => (option.id === id ? { ...option, ...part } : option)));
  return (
    <>
      <ol className={classes.options}>
        {options.map(({ id, label, group_id }, index) => (
          <li key={id} className={classes.option}>
            <TextInput
              aria-label={t('questionOptionNumber', { question, number: index + 1 })}
              placeholder={t('optionNumber', { number: index + 1 })}
              value={label}
              onChange={({ currentTarget }) => change(id, { label: currentTarget.value })}
              error={errorFor(`options.${index}.label`)}
            />
            {withGroups && (
              <GroupSelect
                label={undefined}
                aria-label={t('questionGroupOfOptionNumber', { question, number: index + 1 })}
                value={group_id}
                onGroup={(group) => change(id, { group_id: group })}
              />
            )}
            <RemoveButton
              label={t('questionRemoveOptionNumber', { question, number: index + 1 })}
              onClick={() => onChange(options.filter((option) => option.id !== id))}
            />
          </li>
        ))}
      </ol>
      <ErrorText>{errorFor('options')}</ErrorText>
      <Button size="xs" variant="default" onClick={() => onChange([...options, newOption()])}>
        {t('addOption')}
      </Button>
    </>
  );
};
