import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeError } from '../api/errors.ts';
import { t } from '../i18n/t.ts';

export const Loading = ({ label = t('loading') }: { label?: string }) => (
  <Center mih={160} role="status">
    <Loader size="sm" aria-hidden />
    <Text c="dimmed" size="sm" ml="xs">
      {label}
    </Text>
  </Center>
);

interface EmptyProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export const Empty = ({ title, children, action }: EmptyProps) => (
  <Center mih={200} p="lg">
    <Stack align="center" gap="xs" maw={420} ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" size="sm">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  </Center>
);

interface FailureProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

export const Failure = ({ error, onRetry }: FailureProps) => (
  <Center mih={200} p="lg">
    <Stack align="center" gap="xs" maw={420} ta="center" role="alert">
      <Title order={2} size="h4">
        {t('couldntLoadThis')}
      </Title>
      <Text c="dimmed" size="sm">
        {describeError(error)}
      </Text>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      )}
    </Stack>
  </Center>
);

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** Shown when there is no data; without it `children` handle that. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
}

/** Renders loading, error, empty or the data. Loaded data stays visible while it is refetched. */
export const Loaded = <T,>({ query, empty, isEmpty, children }: LoadedProps<T>) => {
  const { data, error, isPending, refetch } = query;
  if (data !== undefined) {
    const none = isEmpty ? isEmpty(data) : Array.isArray(data) && data.length === 0;
    return empty !== undefined && none ? empty : children(data);
  }
  if (isPending) return <Loading />;
  return <Failure error={error} onRetry={() => void refetch()} />;
};
