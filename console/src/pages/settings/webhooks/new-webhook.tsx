import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { registerWebhook } from '#contracts/configuration/webhooks.ts';
import { call } from '../../../api/call.ts';
import { EditForm } from '../../../editing/edit-form.tsx';
import { collectErrors, required } from '../../../editing/field-errors.ts';
import { useEditing } from '../../../editing/use-editing.ts';
import { t } from '../t.ts';
import { useLeaveTo } from '../use-leave-to.ts';
import { WEBHOOK_ACTIONS } from './webhook-actions.ts';

/** Owner of webhooks created in the console; those of apps keep their own client ID. */
const OWNER = 'parley-console';

const EXTRA = [
  { value: 'chat_properties', label: t('chatProperties') },
  { value: 'chat_presence_user_ids', label: t('idsOfUsersInThe') },
] as const;

type Extra = (typeof EXTRA)[number]['value'];

interface Draft {
  action: string;
  url: string;
  secret_key: string;
  description: string;
  author_type: '' | 'customer' | 'agent';
  additional_data: Extra[];
}

const newSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

const register = ({ action, url, secret_key, description, author_type, additional_data }: Draft) =>
  call(registerWebhook, {
    body: {
      ...{ action, url: url.trim(), secret_key, additional_data },
      owner_client_id: OWNER,
      type: 'license',
      ...(description.trim() ? { description: description.trim() } : {}),
      ...(author_type && action === 'incoming_event' ? { filters: { author_type } } : {}),
    },
  });

export const webhooksKey = ['webhooks'] as const;

export const NewWebhook = () => {
  const [secret] = useState(newSecret);
  const leave = useLeaveTo('webhooks');
  const editing = useEditing<Draft>({
    saved: {
      ...{ action: 'incoming_chat', url: '', secret_key: secret, description: '', author_type: '' },
      additional_data: [],
    },
    check: ({ url, secret_key }) =>
      collectErrors({
        url: required(url) || (!isWebAddress(url) && t('enterAURLThatStartsWith')),
        secret_key: required(secret_key),
      }),
    save: register,
    refetch: [webhooksKey],
    notice: t('webhookAdded'),
    onSaved: leave,
  });
  const { draft, change, text, select, errorFor } = editing;
  return (
    <EditForm editing={editing} isNew saveLabel={t('register')}>
      <Stack gap="md" maw={640}>
        <Select label={t('event')} searchable data={WEBHOOK_ACTIONS} {...select('action')} />
        {draft.action === 'incoming_event' && (
          <Select
            label={t('author')}
            data={[
              { value: '', label: t('anyone') },
              { value: 'customer', label: t('customersOnly') },
              { value: 'agent', label: t('agentsOnly') },
            ]}
            {...select('author_type')}
            error={errorFor('filters.author_type')}
          />
        )}
        <TextInput label={t('url')} required placeholder="https://example.com/hook" {...text('url')} />
        <TextInput
          label={t('secret')}
          description={t('sentWithEachRequestAnd')}
          required
          autoComplete="off"
          {...text('secret_key')}
        />
        <TextInput label={t('description')} {...text('description')} />
        <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
          <Text component="legend" size="sm" fw={600} mb={4}>
            {t('include')}
          </Text>
          <Stack gap="xs">
            {EXTRA.map(({ value, label }) => (
              <Checkbox
                key={value}
                label={label}
                checked={draft.additional_data.includes(value)}
                onChange={({ currentTarget }) =>
                  change({
                    additional_data: currentTarget.checked
                      ? [...draft.additional_data, value]
                      : draft.additional_data.filter((one) => one !== value),
                  })
                }
              />
            ))}
          </Stack>
        </fieldset>
      </Stack>
    </EditForm>
  );
};
