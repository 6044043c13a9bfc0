import { Badge, Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listWebhookDeliveries, replayWebhookDeliveries } from '#contracts/configuration/webhooks.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { refetch } from '../../../api/queries.ts';
import { notifySuccess } from '../../../design/notices.ts';
import { Empty, Failure, Loading } from '../../../design/states.tsx';
import { formatTime } from '../../../design/time-ago.tsx';
import { useAction } from '../../../design/use-action.ts';
import { Row, RowList } from '../../../editing/row-list.tsx';
import { t } from '../t.ts';
import { ReplayRange } from './replay-range.tsx';

type Delivery = ResponseOf<typeof listWebhookDeliveries>['deliveries'][number];
type State = Delivery['state'];

const STATES = {
  delivered: { label: t('delivered'), color: 'var(--success)' },
  pending: { label: t('waiting'), color: 'var(--warning)' },
  failed: { label: t('failed'), color: 'var(--danger)' },
} as const satisfies Record<State, { label: string; color: string }>;

const describeDelivery = ({ attempts, created_at, next_attempt_at, last_status, last_error }: Delivery): string =>
  [
    formatTime(created_at),
    t('attemptCount', { count: attempts }),
    last_status !== undefined && t('responseStatus', { status: last_status }),
    last_error,
    next_attempt_at && t('nextAttemptTime', { time: formatTime(next_attempt_at) }),
  ]
    .filter(Boolean)
    .join(' · ');

const StateBadge = ({ state }: { state: State }) => {
  const { label, color } = STATES[state];
  return (
    <Badge variant="outline" c={color} style={{ borderColor: color }}>
      {label}
    </Badge>
  );
};

const PAGE = 25;

/** The delivery log of a webhook, with resending. */
export const DeliveryLog = ({ webhookId }: { webhookId: string }) => {
  const [state, setState] = useState<State | 'all'>('all');
  const queryKey = ['webhook-deliveries', webhookId, state];
  const log = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      call(listWebhookDeliveries, {
        body: pageParam
          ? { page_id: pageParam }
          : { webhook_id: webhookId, limit: PAGE, ...(state === 'all' ? {} : { state }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_page_id }) => next_page_id,
    refetchInterval: 5_000,
  });
  const refresh = () => refetch(['webhook-deliveries', webhookId]);
  const replaying = useAction(async (delivery_id: string) => {
    await call(replayWebhookDeliveries, { body: { delivery_id } });
    notifySuccess(t('resendingOne'));
    await refresh();
  });
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries);
  return (
    <>
      <SegmentedControl
        mb="sm"
        aria-label={t('deliveryStatus')}
        data={[
          { value: 'all', label: t('all') },
          ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
        ]}
        value={state}
        onChange={(value) => setState(value as State | 'all')}
      />
      <ReplayRange webhookId={webhookId} onReplayed={refresh} />
      {!deliveries && log.isPending && <Loading />}
      {!deliveries && log.error && <Failure error={log.error} onRetry={() => void log.refetch()} />}
      {deliveries?.length === 0 && <Empty title={t('noDeliveries')}>{t('theLogCoversTheLast')}</Empty>}
      {deliveries && deliveries.length > 0 && (
        <RowList label={t('deliveries')}>
          {deliveries.map((delivery) => (
            <Row
              key={delivery.id}
              title={delivery.chat_id ? t('chatId', { id: delivery.chat_id }) : delivery.action}
              detail={describeDelivery(delivery)}
              aside={
                <>
                  <StateBadge state={delivery.state} />
                  {delivery.state !== 'pending' && (
                    <Button size="xs" variant="default" onClick={() => replaying.mutate(delivery.id)}>
                      {t('resend')}
                    </Button>
                  )}
                </>
              }
            />
          ))}
        </RowList>
      )}
      {log.hasNextPage && (
        <Button mt="sm" variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('loadMore')}
        </Button>
      )}
    </>
  );
};
