import { ColorInput, Grid, Stack, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { updateGroupWidget } from '#contracts/configuration/widget.ts';
import { call } from '../../../api/call.ts';
import { Segments } from '../../../design/segments.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { t } from '../t.ts';
import { LogoField } from './logo-field.tsx';
import { PhraseFields } from './phrase-fields.tsx';
import { checkWidget, readWidget, type Widget, type WidgetDraft, writeWidget } from './widget-draft.ts';
import { WidgetPreview } from './widget-preview.tsx';

export const widgetKey = (group: number) => ['widget', group] as const;

const SWATCHES = ['#0b7460', '#0b6bcb', '#7a3fb8', '#b3261e', '#c2410c', '#1f2937'];

export const AppearanceForm = ({ widget }: { widget: Widget }) => {
  const saved = useMemo(() => readWidget(widget), [widget]);
  const editing = useEditing<WidgetDraft>({
    saved,
    check: checkWidget,
    save: (draft) => call(updateGroupWidget, { body: writeWidget(widget, draft) }),
    refetch: [widgetKey(widget.group_id)],
    notice: t('savedOpenPagesShowThe'),
  });
  const { draft, change, text, errorFor } = editing;
  const phrase = (key: string): string => draft.own[key] || widget.default_phrases[key] || '';
  return (
    <EditForm editing={editing}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="md">
            <ColorInput
              label={t('color')}
              format="hex"
              swatches={SWATCHES}
              eyeDropperButtonProps={{ 'aria-label': t('pickAColorFromThe') }}
              value={draft.accent_color}
              onChange={(accent_color) => change({ accent_color })}
              error={errorFor('accent_color') ?? errorFor('appearance.accent_color')}
            />
            <Segments
              label={t('theme')}
              data={[
                { value: 'auto', label: t('matchVisitorsSystem') },
                { value: 'light', label: t('light') },
                { value: 'dark', label: t('dark') },
              ]}
              value={draft.theme}
              onChange={(theme) => change({ theme })}
            />
            <Segments
              label={t('position')}
              data={[
                { value: 'left', label: t('left') },
                { value: 'right', label: t('right') },
              ]}
              value={draft.position}
              onChange={(position) => change({ position })}
            />
            <LogoField
              {...text('logo_url')}
              error={errorFor('logo_url') ?? errorFor('appearance.logo_url')}
              onUploaded={(logo_url) => change({ logo_url })}
            />
            <TextInput label={t('onlineButtonLabel')} required {...text('online')} />
            <TextInput label={t('offlineButtonLabel')} required {...text('offline')} />
            <PhraseFields defaults={widget.default_phrases} own={draft.own} onChange={(own) => change({ own })} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Text size="sm" fw={600} mb={4}>
            {t('preview')}
          </Text>
          <WidgetPreview
            theme={draft.theme}
            accent={draft.accent_color}
            position={draft.position}
            logo={draft.logo_url}
            button={draft.online}
            phrase={phrase}
          />
        </Grid.Col>
      </Grid>
    </EditForm>
  );
};
