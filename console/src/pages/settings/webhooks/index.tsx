import { Badge, Code, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { disableWebhook, enableWebhook, listWebhooks, unregisterWebhook } from '#contracts/configuration/webhooks.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { refetch } from '../../../api/queries.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { Dimmed } from '../../../design/dimmed.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { formatTime } from '../../../design/time-ago.tsx';
import { useAction } from '../../../design/use-action.ts';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { formatList } from '../../../i18n/language.ts';
import { EditorPage, SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';
import { useLeaveTo } from '../use-leave-to.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { NewWebhook, webhooksKey } from './new-webhook.tsx';
import { nameAction } from './webhook-actions.ts';

type Webhook = ResponseOf<typeof listWebhooks>[number];

const useWebhooks = () => useQuery({ queryKey: webhooksKey, queryFn: () => call(listWebhooks, { body: {} }) });

const EnabledSwitch = ({ webhook: { id, enabled } }: { webhook: Webhook }) => {
  const switching = useAction(async (on: boolean) => {
    await call(on ? enableWebhook : disableWebhook, { body: { id } });
    await refetch(webhooksKey);
  });
  return (
    <Switch
      label={t('enabled')}
      description={t('aDisabledWebhookGetsNo')}
      checked={switching.isPending ? switching.variables : enabled}
      onChange={({ currentTarget }) => switching.mutate(currentTarget.checked)}
    />
  );
};

const List = () => (
  <SectionPage of="webhooks" addLabel={t('addWebhook')}>
    <QueryRows
      label={t('webhooks')}
      query={useWebhooks()}
      empty={<Empty title={t('noWebhooksYet')}>{t('addAURLToReceive')}</Empty>}
    >
      {({ id, action, url, description, enabled }) => (
        <Row
          key={id}
          to="/settings/$"
          path={`webhooks/${id}`}
          title={nameAction(action)}
          detail={[url, description].filter(Boolean).join(' · ')}
          aside={!enabled && <Badge variant="default">{t('off')}</Badge>}
        />
      )}
    </QueryRows>
  </SectionPage>
);

const Details = ({ webhook }: { webhook: Webhook }) => {
  const leave = useLeaveTo('webhooks');
  const remove = async (): Promise<void> => {
    await call(unregisterWebhook, { body: { id: webhook.id } });
    await leave();
  };
  const { url, description, filters, additional_data, owner_client_id, created_at, action } = webhook;
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Code>{action}</Code> → <Code>{url}</Code>
          </Text>
          <Dimmed>
            {[
              description,
              filters?.author_type && (filters.author_type === 'agent' ? t('agentsOnly') : t('customersOnly')),
              additional_data.length > 0 && t('includesData', { data: formatList(additional_data) }),
              t('registeredTimeByOwner', { time: formatTime(created_at), owner: owner_client_id }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Dimmed>
        </div>
        <ConfirmButton
          label={t('deleteWebhook')}
          question={t('deleteThisWebhook')}
          onConfirm={remove}
          refetch={[webhooksKey]}
          notice={t('webhookDeleted')}
        >
          {t('itsDeliveryLogIsDeleted')}
        </ConfirmButton>
      </Group>
      <EnabledSwitch webhook={webhook} />
      <Title order={2} size="h4">
        {t('deliveries')}
      </Title>
      <DeliveryLog webhookId={webhook.id} />
    </Stack>
  );
};

const One = ({ id }: { id: string }) => {
  const query = useWebhooks();
  const webhook = query.data?.find((one) => one.id === id);
  return (
    <EditorPage of="webhooks" title={webhook ? nameAction(webhook.action) : t('webhook')}>
      <Loaded query={query}>
        {() => (webhook ? <Details webhook={webhook} /> : <Empty title={t('thisWebhookNoLongerExists')} />)}
      </Loaded>
    </EditorPage>
  );
};

export const WebhooksSection = ({ id }: { id?: string | undefined }) => {
  if (!id) return <List />;
  if (id !== 'new') return <One id={id} />;
  return (
    <EditorPage of="webhooks" title={t('newWebhook')}>
      <NewWebhook />
    </EditorPage>
  );
};
