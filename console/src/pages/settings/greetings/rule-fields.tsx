import { Select, TextInput } from '@mantine/core';
import { Dimmed } from '../../../design/dimmed.tsx';
import { RemoveButton } from '../../../design/icon-button.tsx';
import { t } from '../t.ts';
import { FunnelSteps } from './funnel-steps.tsx';
import classes from './rule-fields.module.css';
import { changeType, type Operator, operatorChoices, RULE_TYPES, type RuleDraft, type RuleType } from './rules.ts';

const types = Object.entries(RULE_TYPES).map(([value, { label }]) => ({ value, label }));

interface RuleFieldsProps {
  rule: RuleDraft;
  /** Counted from 1, for screen readers. */
  number: number;
  onChange(rule: RuleDraft): void;
  onRemove(): void;
  errorFor(field: string): string | undefined;
}

/** One rule of the rule builder. */
export const RuleFields = ({ rule, number, onChange, onRemove, errorFor }: RuleFieldsProps) => {
  const { kind, unit, example } = RULE_TYPES[rule.type];
  const isVariable = kind === 'variable';
  const isFunnel = kind === 'funnel';
  return (
    <>
      <div className={classes.fields} data-variable={isVariable || undefined} data-funnel={isFunnel || undefined}>
        <Select
          aria-label={t('ruleNumberCriterion', { number })}
          allowDeselect={false}
          searchable
          data={types}
          value={rule.type}
          onChange={(type) => type && onChange(changeType(rule, type as RuleType))}
          maxDropdownHeight={360}
        />
        {isVariable && (
          <TextInput
            aria-label={t('ruleNumberVariableName', { number })}
            placeholder={t('name')}
            value={rule.variableName}
            onChange={({ currentTarget }) => onChange({ ...rule, variableName: currentTarget.value })}
            error={errorFor('variable_name')}
          />
        )}
        {!isFunnel && (
          <>
            <Select
              aria-label={t('ruleNumberCondition', { number })}
              allowDeselect={false}
              data={operatorChoices(rule.type, rule.operator)}
              value={rule.operator}
              onChange={(operator) => operator && onChange({ ...rule, operator: operator as Operator })}
              error={errorFor('operator')}
            />
            <TextInput
              aria-label={unit ? t('ruleNumberUnit', { number, unit }) : t('ruleNumberValue', { number })}
              inputMode={kind === 'number' ? 'numeric' : 'text'}
              placeholder={example ?? (isVariable ? t('value') : '')}
              value={rule.value}
              onChange={({ currentTarget }) => onChange({ ...rule, value: currentTarget.value })}
              error={errorFor(isVariable ? 'variable_value' : 'value')}
              rightSection={unit && <Dimmed>{unit}</Dimmed>}
              rightSectionWidth={unit ? 76 : undefined}
              rightSectionPointerEvents="none"
            />
          </>
        )}
        <RemoveButton label={t('removeRuleNumber', { number })} onClick={onRemove} />
      </div>
      {isFunnel && (
        <FunnelSteps steps={rule.steps} onChange={(steps) => onChange({ ...rule, steps })} errorFor={errorFor} />
      )}
    </>
  );
};
