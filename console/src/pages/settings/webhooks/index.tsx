import { Badge, Code, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { disableWebhook, enableWebhook, listWebhooks, unregisterWebhook } from '#contracts/configuration/webhooks.ts';
import type { AnswerOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { describeError } from '../../../api/errors.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { sayDone, sayFailed } from '../../../design/notices.ts';
import { Empty, Loaded } from '../../../design/states.tsx';
import { formatTime } from '../../../design/time-ago.tsx';
import { Row, RowList } from '../../../editing/row-list.tsx';
import { EditorPage, SectionPage } from '../section.tsx';
import { useLeaveTo } from '../use-leave.ts';
import { nameAction } from './actions.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { NewWebhook, webhooksKey } from './new-webhook.tsx';

type Webhook = AnswerOf<typeof listWebhooks>[number];

const useWebhooks = () =>
  useQuery({ queryKey: webhooksKey, queryFn: () => call(listWebhooks, { query: {}, body: {} }) });

const EnabledSwitch = ({ webhook: { id, enabled } }: { webhook: Webhook }) => {
  const client = useQueryClient();
  const turning = useMutation({
    mutationFn: (on: boolean) => call(on ? enableWebhook : disableWebhook, { query: {}, body: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: webhooksKey }),
    onError: (error) => sayFailed(describeError(error)),
  });
  return (
    <Switch
      label="Enabled"
      description="Switched off, what happens waits until it is on again."
      checked={turning.isPending ? turning.variables : enabled}
      onChange={({ currentTarget }) => turning.mutate(currentTarget.checked)}
    />
  );
};

const List = () => (
  <SectionPage of="webhooks" addLabel="Register a webhook">
    <Loaded
      query={useWebhooks()}
      empty={<Empty title="No webhooks yet">Name an address, and it is told of each happening of a kind.</Empty>}
    >
      {(all) => (
        <RowList label="Webhooks">
          {all.map(({ id, action, url, description, enabled }) => (
            <Row
              key={id}
              to="/settings/$"
              path={`webhooks/${id}`}
              title={nameAction(action)}
              detail={[url, description].filter(Boolean).join(' · ')}
              aside={
                !enabled && (
                  <Badge variant="default" tt="none">
                    Off
                  </Badge>
                )
              }
            />
          ))}
        </RowList>
      )}
    </Loaded>
  </SectionPage>
);

const Details = ({ webhook }: { webhook: Webhook }) => {
  const client = useQueryClient();
  const leave = useLeaveTo('webhooks');
  const remove = async (): Promise<void> => {
    await call(unregisterWebhook, { query: {}, body: { id: webhook.id } });
    await leave();
    await client.invalidateQueries({ queryKey: webhooksKey });
    sayDone('The webhook is removed.');
  };
  const { url, description, filters, additional_data, owner_client_id, created_at, action } = webhook;
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Code>{action}</Code> to <Code>{url}</Code>
          </Text>
          <Text size="sm" c="dimmed">
            {[
              description,
              filters?.author_type && `only of a ${filters.author_type}`,
              additional_data.length > 0 && `with ${additional_data.join(', ')}`,
              `registered ${formatTime(created_at)} by ${owner_client_id}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        <ConfirmButton
          label="Remove webhook"
          question="Remove this webhook?"
          confirmLabel="Remove webhook"
          onConfirm={remove}
        >
          Its log goes with it, and what was not sent yet is not sent.
        </ConfirmButton>
      </Group>
      <EnabledSwitch webhook={webhook} />
      <Title order={2} size="h4">
        Deliveries
      </Title>
      <DeliveryLog webhookId={webhook.id} />
    </Stack>
  );
};

const One = ({ id }: { id: string }) => {
  const query = useWebhooks();
  const webhook = query.data?.find((one) => one.id === id);
  return (
    <EditorPage of="webhooks" title={webhook ? nameAction(webhook.action) : 'Webhook'}>
      <Loaded query={query}>
        {() => (webhook ? <Details webhook={webhook} /> : <Empty title="There is no such webhook any more" />)}
      </Loaded>
    </EditorPage>
  );
};

export const WebhooksSection = ({ id }: { id?: string | undefined }) => {
  if (!id) return <List />;
  if (id !== 'new') return <One id={id} />;
  return (
    <EditorPage of="webhooks" title="New webhook">
      <NewWebhook />
    </EditorPage>
  );
};
