import { Button, Group, Select, TextInput } from '@mantine/core';
import { ErrorText } from '../../../design/form.tsx';
import { RemoveButton } from '../../../design/icon-button.tsx';
import { MoveButtons, moveItem } from '../../../editing/move-buttons.tsx';
import { t } from '../t.ts';
import classes from './rule-fields.module.css';
import { newStep, type Operator, operatorChoices, type RuleDraft } from './rules.ts';

interface FunnelStepsProps {
  steps: RuleDraft['steps'];
  onChange(steps: RuleDraft['steps']): void;
  errorFor(field: string): string | undefined;
}

const MAX_STEPS = 50;

/** Pages that a visitor has to view in this order. */
export const FunnelSteps = ({ steps, onChange, errorFor }: FunnelStepsProps) => {
  const change = (index: number, part: Partial<RuleDraft['steps'][number]>): void =>
    onChange(steps.map((step, at) => (at === index ? { ...step, ...part } : step)));
  return (
    <>
      <ol className={classes.steps}>
        {steps.map(({ key, url, operator }, index) => (
          <li key={key} className={classes.step}>
            <span className={classes.number}>{index + 1}.</span>
            <Select
              aria-label={t('pageNumberCondition', { number: index + 1 })}
              allowDeselect={false}
              data={operatorChoices('url_funnel', operator)}
              value={operator}
              onChange={(value) => value && change(index, { operator: value as Operator })}
            />
            <TextInput
              aria-label={t('pageNumberURL', { number: index + 1 })}
              placeholder="shop.example/cart"
              value={url}
              onChange={({ currentTarget }) => change(index, { url: currentTarget.value })}
              error={errorFor(`urls.${index}.url`)}
            />
            <Group gap={2} wrap="nowrap">
              <MoveButtons
                upLabel={t('movePageNumberUp', { number: index + 1 })}
                downLabel={t('movePageNumberDown', { number: index + 1 })}
                index={index}
                count={steps.length}
                onMove={(to) => onChange(moveItem(steps, index, to))}
              />
              <RemoveButton
                label={t('removePageNumber', { number: index + 1 })}
                onClick={() => onChange(steps.filter((_, at) => at !== index))}
              />
            </Group>
          </li>
        ))}
      </ol>
      <ErrorText>{errorFor('urls')}</ErrorText>
      <Button
        size="xs"
        variant="default"
        disabled={steps.length >= MAX_STEPS}
        onClick={() => onChange([...steps, newStep()])}
      >
        {t('addPage')}
      </Button>
    </>
  );
};
