import { Badge, Modal, Table, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listAssignments } from '#contracts/agent/routing.ts';
import { call } from '../../api/call.ts';
import { useAgentName, useGroupName } from '../../api/people.ts';
import { keys } from '../../api/queries.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { formatTime, TimeAgo } from '../../design/time-ago.tsx';
import { t } from './t.ts';

const describeRule = (rule: string, agent: string): string => {
  switch (rule) {
    case 'only_candidate':
      return t('rule.onlyCandidate', { agent });
    case 'lowest_load':
      return t('rule.lowestLoad', { agent });
    case 'longest_waiting':
      return t('rule.longestWaiting', { agent });
    case 'login_order':
      return t('rule.loginOrder', { agent });
    case 'bot_first':
      return t('rule.botFirst', { agent });
    case 'transferred':
      return t('rule.transferred', { agent });
    case 'taken_over':
      return t('rule.takenOver', { agent });
    case 'started':
      return t('rule.started', { agent });
    default:
      return `${agent}: ${rule}`;
  }
};

interface AssignmentHistoryProps {
  chatId: string;
  opened: boolean;
  onClose(): void;
}

/** The assignments of a chat, the other candidates and the deciding rule. */
export const AssignmentHistory = ({ chatId, opened, onClose }: AssignmentHistoryProps) => {
  const nameOfAgent = useAgentName();
  const nameOfGroup = useGroupName();
  const query = useQuery({
    queryKey: keys.assignments(chatId),
    queryFn: async () => (await call(listAssignments, { body: { chat_id: chatId } })).assignments,
    enabled: opened,
    staleTime: 0,
  });
  return (
    <Modal opened={opened} onClose={onClose} title={t('whyThisAgent')} size="lg">
      <Loaded query={query} empty={<Empty title={t('noAgentAssignedYet')} />}>
        {(assignments) => (
          <Timeline bulletSize={16} lineWidth={2}>
            {assignments.map(({ id, agent_id: agent, rule, group_ids: groups, assigned_at: at, candidates }) => (
              <Timeline.Item key={id} title={nameOfAgent(agent)}>
                <Text size="sm">{describeRule(rule, nameOfAgent(agent))}</Text>
                <Dimmed size="xs">
                  <TimeAgo at={at} /> · {formatTime(at)}
                  {groups.length > 0 && ` · ${groups.map(nameOfGroup).join(', ')}`}
                </Dimmed>
                {candidates.length > 0 && (
                  <Table mt="xs" fz="xs" aria-label={t('availableAgents')}>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>{t('availableAgent')}</Table.Th>
                        <Table.Th>{t('chatsAtThatTime')}</Table.Th>
                        <Table.Th>{t('lastAssigned')}</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {candidates.map((one) => (
                        <Table.Tr key={one.agent_id}>
                          <Table.Td>
                            {nameOfAgent(one.agent_id)}{' '}
                            {one.agent_id === agent && (
                              <Badge size="xs" variant="light">
                                {t('chosen')}
                              </Badge>
                            )}
                          </Table.Td>
                          <Table.Td>{t('openOfLimit', { open: one.open, limit: one.limit })}</Table.Td>
                          <Table.Td>{one.last_assigned_at ? formatTime(one.last_assigned_at) : t('never')}</Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                )}
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
    </Modal>
  );
};
