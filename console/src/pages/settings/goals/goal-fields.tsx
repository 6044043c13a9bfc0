import { Code, Group, Select, Text, TextInput } from '@mantine/core';
import type { Editing } from '../../../editing/use-editing.ts';
import type { GoalDraft, GoalType } from './goal-draft.ts';

export const GOAL_TYPES: { value: GoalType; label: string }[] = [
  { value: 'url', label: 'A page is visited' },
  { value: 'custom_variable', label: 'A custom variable has a value' },
  { value: 'sales_tracker', label: 'Something is bought' },
  { value: 'api', label: 'A program says so' },
];

const MATCHES = [
  { value: 'substring', label: 'contains' },
  { value: 'exact', label: 'is exactly' },
];

const VALUES = [
  { value: 'not_set', label: 'Not counted' },
  { value: 'set', label: 'The same for each sale' },
  { value: 'dynamic', label: 'Told with each sale' },
];

/** What a goal of this type is about. */
export const GoalFields = ({ editing, id }: { editing: Editing<GoalDraft>; id?: number | undefined }) => {
  const { draft, change, text } = editing;
  switch (draft.type) {
    case 'url':
      return (
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <Select
            label="The address"
            allowDeselect={false}
            data={MATCHES}
            value={draft.match_type}
            onChange={(match) => match && change({ match_type: match as GoalDraft['match_type'] })}
          />
          <TextInput label="Page" required placeholder="shop.example/thank-you" {...text('url')} />
        </Group>
      );
    case 'custom_variable':
      return (
        <Group align="flex-start" grow>
          <TextInput label="Variable" required {...text('custom_variable_name')} />
          <TextInput label="Value" required {...text('custom_variable_value')} />
        </Group>
      );
    case 'sales_tracker':
      return (
        <>
          <Select
            label="Value of a sale"
            allowDeselect={false}
            data={VALUES}
            value={draft.value_type}
            onChange={(value) => value && change({ value_type: value as GoalDraft['value_type'] })}
          />
          {draft.value_type !== 'not_set' && (
            <Group align="flex-start" grow>
              {draft.value_type === 'set' && (
                <TextInput label="Value" required inputMode="decimal" {...text('value')} />
              )}
              <TextInput label="Currency" placeholder="EUR" {...text('currency')} />
            </Group>
          )}
          {draft.value_type === 'dynamic' && (
            <Group align="flex-start" grow>
              <TextInput label="Field of the order’s number" {...text('order_field_name')} />
              <TextInput label="Field of its value" {...text('value_field_name')} />
            </Group>
          )}
        </>
      );
    case 'api':
      return (
        <Text size="sm" c="dimmed">
          A program of yours calls <Code>POST /goals/{id ?? '<number>'}/mark_as_successful</Code> with the visitor’s id.
        </Text>
      );
  }
};
