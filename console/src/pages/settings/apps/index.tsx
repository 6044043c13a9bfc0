import { Anchor, Badge, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deleteOauthClient, listOauthClients } from '#contracts/configuration/oauth.ts';
import { call } from '../../../api/call.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { richText } from '../../../i18n/rich-text.tsx';
import { EditorPage, SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';
import { Grants, grantsKey } from './grants.tsx';
import { appsKey, NewApp } from './new-app.tsx';
import { describeScopes } from './scopes.ts';

const Apps = () => {
  const apps = useQuery({ queryKey: appsKey, queryFn: () => call(listOauthClients, { body: {} }) });
  return (
    <QueryRows label={t('oauthApps')} query={apps} empty={<Text size="sm">{t('noAppsRegisteredYet')}</Text>}>
      {({ client_id, name, scopes, type, redirect_uris }) => (
        <Row
          key={client_id}
          title={name}
          detail={`${client_id} · ${redirect_uris.join(', ')} · ${describeScopes(scopes)}`}
          aside={
            <>
              {type === 'public' && <Badge variant="light">{t('publicClient')}</Badge>}
              <ConfirmButton
                size="xs"
                label={t('delete')}
                question={t('deleteName', { name })}
                confirmLabel={t('deleteApp')}
                onConfirm={() => call(deleteOauthClient, { body: { client_id } })}
                refetch={[appsKey, grantsKey]}
                notice={t('appDeleted')}
              >
                {t('allOfTheAppsTokens')}
              </ConfirmButton>
            </>
          }
        />
      )}
    </QueryRows>
  );
};

const List = () => (
  <SectionPage of="apps" addLabel={t('registerApp')}>
    <Stack gap="lg">
      <section>
        <Title order={2} size="h4" mb="xs">
          {t('oauthApps')}
        </Title>
        <Apps />
      </section>
      <section>
        <Title order={2} size="h4" mb="xs">
          {t('authorizedApps')}
        </Title>
        <Grants />
      </section>
      <section>
        <Title order={2} size="h4" mb="xs">
          {t('apiKeys')}
        </Title>
        <Text size="sm">
          {richText(t, 'eachAgentHasOneAPI', {
            profile: (
              <Anchor underline="always" renderRoot={(props) => <Link to="/profile" {...props} />}>
                {t('yourProfile')}
              </Anchor>
            ),
          })}
        </Text>
      </section>
    </Stack>
  </SectionPage>
);

export const AppsSection = ({ id }: { id?: string | undefined }) => {
  if (id !== 'new') return <List />;
  return (
    <EditorPage of="apps" title={t('newApp')}>
      <NewApp />
    </EditorPage>
  );
};
