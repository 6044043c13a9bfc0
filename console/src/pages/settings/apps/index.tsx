import { Anchor, Badge, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deleteOauthClient, listOauthClients } from '#contracts/configuration/oauth.ts';
import { call } from '../../../api/call.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { sayDone } from '../../../design/notices.ts';
import { Loaded } from '../../../design/states.tsx';
import { Row, RowList } from '../../../editing/row-list.tsx';
import { EditorPage, SectionPage } from '../section.tsx';
import { Grants, grantsKey } from './grants.tsx';
import { appsKey, NewApp } from './new-app.tsx';
import { describeScopes } from './scopes.ts';

const Apps = () => {
  const client = useQueryClient();
  const apps = useQuery({ queryKey: appsKey, queryFn: () => call(listOauthClients, { query: {}, body: {} }) });
  const remove = async (client_id: string): Promise<void> => {
    await call(deleteOauthClient, { query: {}, body: { client_id } });
    await Promise.all([appsKey, grantsKey].map((queryKey) => client.invalidateQueries({ queryKey })));
    sayDone('The app is removed.');
  };
  return (
    <Loaded query={apps} empty={<Text size="sm">No app is registered yet.</Text>}>
      {(all) => (
        <RowList label="OAuth apps">
          {all.map(({ client_id, name, scopes, type, redirect_uris }) => (
            <Row
              key={client_id}
              title={name}
              detail={`${client_id} · ${redirect_uris.join(', ')} · ${describeScopes(scopes)}`}
              aside={
                <>
                  {type === 'public' && (
                    <Badge variant="light" tt="none">
                      without secret
                    </Badge>
                  )}
                  <ConfirmButton
                    size="xs"
                    label="Remove"
                    question={`Remove ${name}?`}
                    confirmLabel="Remove app"
                    onConfirm={() => remove(client_id)}
                  >
                    All its tokens end at once.
                  </ConfirmButton>
                </>
              }
            />
          ))}
        </RowList>
      )}
    </Loaded>
  );
};

const List = () => (
  <SectionPage of="apps" addLabel="Register an app">
    <Stack gap="lg">
      <section>
        <Title order={2} size="h4" mb="xs">
          OAuth apps
        </Title>
        <Apps />
      </section>
      <section>
        <Title order={2} size="h4" mb="xs">
          What agents allowed
        </Title>
        <Grants />
      </section>
      <section>
        <Title order={2} size="h4" mb="xs">
          API keys
        </Title>
        <Text size="sm">
          Each agent has one key of its own, which may do what the agent may. It is on{' '}
          <Anchor underline="always" renderRoot={(props) => <Link to="/profile" {...props} />}>
            your profile
          </Anchor>
          .
        </Text>
      </section>
    </Stack>
  </SectionPage>
);

export const AppsSection = ({ id }: { id?: string | undefined }) => {
  if (id !== 'new') return <List />;
  return (
    <EditorPage of="apps" title="New app">
      <NewApp />
    </EditorPage>
  );
};
