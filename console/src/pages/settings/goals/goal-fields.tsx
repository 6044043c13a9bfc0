import { Code, Group, Select, TextInput } from '@mantine/core';
import { Dimmed } from '../../../design/dimmed.tsx';
import type { Editing } from '../../../editing/use-editing.ts';
import { richText } from '../../../i18n/rich-text.tsx';
import { t } from '../t.ts';
import type { GoalDraft, GoalType } from './goal-draft.ts';

export const GOAL_TYPES: { value: GoalType; label: string }[] = [
  { value: 'url', label: t('visitedPage') },
  { value: 'custom_variable', label: t('customVariable') },
  { value: 'sales_tracker', label: t('sale') },
  { value: 'api', label: t('triggeredByAPI') },
];

const MATCHES = [
  { value: 'substring', label: t('contains') },
  { value: 'exact', label: t('isExactly') },
];

const VALUES = [
  { value: 'not_set', label: t('notTracked') },
  { value: 'set', label: t('sameForEverySale') },
  { value: 'dynamic', label: t('sentWithEachSale') },
];

/** The fields of a goal type. */
export const GoalFields = ({ editing, id }: { editing: Editing<GoalDraft>; id?: number | undefined }) => {
  const { draft, text, select } = editing;
  switch (draft.type) {
    case 'url':
      return (
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <Select label={t('url')} data={MATCHES} {...select('match_type')} />
          <TextInput label={t('page')} required placeholder="shop.example/thank-you" {...text('url')} />
        </Group>
      );
    case 'custom_variable':
      return (
        <Group align="flex-start" grow>
          <TextInput label={t('variable')} required {...text('custom_variable_name')} />
          <TextInput label={t('value')} required {...text('custom_variable_value')} />
        </Group>
      );
    case 'sales_tracker':
      return (
        <>
          <Select label={t('saleValue')} data={VALUES} {...select('value_type')} />
          {draft.value_type !== 'not_set' && (
            <Group align="flex-start" grow>
              {draft.value_type === 'set' && (
                <TextInput label={t('value')} required inputMode="decimal" {...text('value')} />
              )}
              <TextInput label={t('currency')} placeholder="EUR" {...text('currency')} />
            </Group>
          )}
          {draft.value_type === 'dynamic' && (
            <Group align="flex-start" grow>
              <TextInput label={t('orderIDField')} {...text('order_field_name')} />
              <TextInput label={t('orderValueField')} {...text('value_field_name')} />
            </Group>
          )}
        </>
      );
    case 'api':
      return (
        <Dimmed>
          {richText(t, 'yourAppCallsEndpointWith', {
            endpoint: <Code>{`POST /goals/${id ?? '<id>'}/mark_as_successful`}</Code>,
          })}
        </Dimmed>
      );
  }
};
