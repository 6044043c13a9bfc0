import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { registerOauthClient } from '#contracts/configuration/oauth.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { Dimmed } from '../../../design/dimmed.tsx';
import { Segments } from '../../../design/segments.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { collectErrors, required } from '../../../editing/field-errors.ts';
import { ShowSecret } from '../../../editing/show-secret.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { t } from '../t.ts';
import { useLeaveTo } from '../use-leave-to.ts';
import { ScopeFields } from './scope-fields.tsx';
import type { Scope } from './scopes.ts';

interface Draft {
  name: string;
  type: 'confidential' | 'public';
  redirect_uris: string;
  scopes: Scope[];
}

const NEW_APP: Draft = { name: '', type: 'confidential', redirect_uris: '', scopes: [] };

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const appsKey = ['oauth-clients'] as const;

const Registered = ({ client_id, client_secret }: ResponseOf<typeof registerOauthClient>) => {
  const leave = useLeaveTo('apps');
  return (
    <Stack gap="md" maw={640}>
      <ShowSecret label={t('clientID')} value={client_id} />
      {client_secret && (
        <ShowSecret label={t('clientSecret')} value={client_secret}>
          {t('theSecretIsShownOnly')}
        </ShowSecret>
      )}
      <Button variant="default" onClick={() => void leave()} style={{ alignSelf: 'flex-start' }}>
        {t('done')}
      </Button>
    </Stack>
  );
};

export const NewApp = () => {
  const [registered, setRegistered] = useState<ResponseOf<typeof registerOauthClient>>();
  const editing = useEditing<Draft>({
    saved: NEW_APP,
    check: ({ name, redirect_uris, scopes }) =>
      collectErrors({
        name: required(name),
        redirect_uris: required(redirect_uris),
        scopes: scopes.length === 0 && t('selectAtLeastOne'),
      }),
    save: async ({ name, type, redirect_uris, scopes }) => {
      const body = { name: name.trim(), type, redirect_uris: linesOf(redirect_uris), scopes };
      setRegistered(await call(registerOauthClient, { body }));
    },
    refetch: [appsKey],
    notice: t('appRegistered'),
  });
  if (registered) return <Registered {...registered} />;
  const { draft, change, text, errorFor } = editing;
  return (
    <EditForm editing={editing} isNew saveLabel={t('register')}>
      <Stack gap="md" maw={640}>
        <TextInput label={t('name')} description={t('shownToAgentsWhenThey')} required {...text('name')} />
        <div>
          <Segments
            label={t('clientType')}
            data={[
              { value: 'confidential', label: t('runsOnAServer') },
              { value: 'public', label: t('runsInABrowserOr') },
            ]}
            value={draft.type}
            onChange={(type) => change({ type })}
          />
          <Dimmed size="xs" mt={4}>
            {draft.type === 'public' ? t('publicClientNoSecretPKCE') : t('confidentialClientAuthenticatesWithA')}
          </Dimmed>
        </div>
        <Textarea
          label={t('redirectURLs')}
          description={t('onePerLineUseHttps')}
          required
          autosize
          minRows={2}
          placeholder="https://app.example/callback"
          {...text('redirect_uris')}
          error={errorFor('redirect_uris') ?? errorFor('redirect_uris.0')}
        />
        <ScopeFields value={draft.scopes} onChange={(scopes) => change({ scopes })} error={errorFor('scopes')} />
      </Stack>
    </EditForm>
  );
};
