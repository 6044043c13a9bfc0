import { NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRoutingSettings, updateRoutingSettings } from '#contracts/configuration/routing.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { Loaded } from '../../../design/states.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { collectErrors } from '../../../editing/field-errors.ts';
import { useEditing } from '../../../editing/use-editing.ts';
import { SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';

type Settings = ResponseOf<typeof getRoutingSettings>;

const routingKey = ['routing-settings'] as const;

const FIELDS = [
  {
    name: 'idle_close_minutes',
    label: t('closeInactiveChatsAfter'),
    about: t('chatsWithoutMessagesForThis'),
  },
  {
    name: 'unassign_minutes',
    label: t('reassignChatsAfter'),
    about: t('anAgentWhoDoesntReply'),
  },
  {
    name: 'abandon_minutes',
    label: t('removeFromQueueAfter'),
    about: t('customersWhoLeftTheSite'),
  },
] as const;

const MAX_MINUTES = 1440;

const outOfRange = (minutes: number | null): string | false =>
  !(minutes === null || (Number.isInteger(minutes) && minutes >= 0 && minutes <= MAX_MINUTES)) &&
  t('enterANumberFromMin', { min: 0, max: MAX_MINUTES });

const RoutingForm = ({ settings }: { settings: Settings }) => {
  const editing = useEditing({
    saved: settings,
    check: (draft) => collectErrors(Object.fromEntries(FIELDS.map(({ name }) => [name, outOfRange(draft[name])]))),
    save: (draft) => call(updateRoutingSettings, { body: draft }),
    refetch: [routingKey],
    notice: t('savedTheChangeAlsoApplies'),
  });
  return (
    <EditForm editing={editing}>
      <Stack gap="md" maw={480}>
        {FIELDS.map(({ name, label, about }) => (
          <NumberInput
            key={name}
            label={label}
            description={about}
            suffix={t('minutesSuffix')}
            min={0}
            max={MAX_MINUTES}
            allowDecimal={false}
            {...editing.number(name)}
            value={editing.draft[name] ?? 0}
          />
        ))}
      </Stack>
    </EditForm>
  );
};

export const RoutingSection = () => {
  const query = useQuery({
    queryKey: routingKey,
    queryFn: () => call(getRoutingSettings, { body: {} }),
  });
  return (
    <SectionPage of="routing">
      <Loaded query={query}>{(settings) => <RoutingForm settings={settings} />}</Loaded>
    </SectionPage>
  );
};
