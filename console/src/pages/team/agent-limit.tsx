import { Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { agentQuery } from './agent-query.ts';
import { t } from './t.ts';

/** The list tells nothing of it, so each row asks once it is in sight. */
export const AgentLimit = ({ login }: { login: string }) => {
  const { ref, inViewport } = useInViewport<HTMLParagraphElement>();
  const { data } = useQuery({ ...agentQuery(login), enabled: inViewport });
  return (
    <Text ref={ref} size="sm" c="dimmed" miw={90}>
      {data && t('limit', { count: data.max_chats_count })}
    </Text>
  );
};
