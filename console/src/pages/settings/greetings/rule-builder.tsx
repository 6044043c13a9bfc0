import { Button, Text } from '@mantine/core';
import { Dimmed } from '../../../design/dimmed.tsx';
import { Icon } from '../../../design/icon.tsx';
import { t } from '../t.ts';
import classes from './rule-fields.module.css';
import { RuleFields } from './rule-fields.tsx';
import { newRule, type RuleDraft } from './rules.ts';

interface RuleBuilderProps {
  rules: RuleDraft[];
  onChange(rules: RuleDraft[]): void;
  errorFor(field: string): string | undefined;
}

const MAX_RULES = 100;

export const RuleBuilder = ({ rules, onChange, errorFor }: RuleBuilderProps) => (
  <section aria-label={t('rules')}>
    <Text size="sm" fw={600}>
      {t('showWhenAllOfThese')}
    </Text>
    <Dimmed size="xs" mb="xs">
      {rules.length === 0 ? t('withoutRulesTheGreetingIs') : t('allRulesMustMatch')}
    </Dimmed>
    <ol className={classes.rules}>
      {rules.map((rule, index) => (
        <li key={rule.key}>
          {index > 0 && <div className={classes.and}>{t('and')}</div>}
          <div className={classes.rule}>
            <RuleFields
              rule={rule}
              number={index + 1}
              onChange={(changed) => onChange(rules.map((one) => (one.key === rule.key ? changed : one)))}
              onRemove={() => onChange(rules.filter((one) => one.key !== rule.key))}
              errorFor={(field) => errorFor(`rules.${index}.${field}`)}
            />
          </div>
        </li>
      ))}
    </ol>
    <Button
      mt="xs"
      variant="default"
      leftSection={<Icon name="plus" size={16} />}
      disabled={rules.length >= MAX_RULES}
      onClick={() => onChange([...rules, newRule()])}
    >
      {t('addRule')}
    </Button>
  </section>
);
