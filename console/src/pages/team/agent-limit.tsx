import { Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { agentQuery } from './agent-query.ts';
import { t } from './t.ts';

/** The list does not include the limit, so each visible row fetches it. */
export const AgentLimit = ({ login }: { login: string }) => {
  const { ref, inViewport } = useInViewport<HTMLParagraphElement>();
  const { data } = useQuery({ ...agentQuery(login), enabled: inViewport });
  return (
    <Text ref={ref} size="sm" c="dimmed" miw={90}>
      {data && t('limit', { count: data.max_chats_count })}
    </Text>
  );
};
