import { Badge, Modal, Table, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listAssignments } from '#contracts/agent/routing.ts';
import { call } from '../../api/call.ts';
import { useAgentName, useGroupName } from '../../api/people.ts';
import { keys } from '../../api/queries.ts';
import { Empty, Loaded } from '../../design/states.tsx';
import { formatTime, TimeAgo } from '../../design/time-ago.tsx';

const RULES: Record<string, string> = {
  only_candidate: 'was the only one who took chats and had room',
  lowest_load: 'had the most room',
  longest_waiting: 'had waited longest for a chat',
  login_order: 'came first among equals',
  bot_first: 'is a bot, and bots answer first',
  transferred: 'was given the chat by a transfer',
  taken_over: 'took the chat over',
  started: 'started the chat',
};

interface WhyThisAgentProps {
  chatId: string;
  opened: boolean;
  onClose(): void;
}

/** Who answered the chat in turn, who else could have, and what decided. */
export const WhyThisAgent = ({ chatId, opened, onClose }: WhyThisAgentProps) => {
  const nameOfAgent = useAgentName();
  const nameOfGroup = useGroupName();
  const query = useQuery({
    queryKey: keys.assignments(chatId),
    queryFn: async () => (await call(listAssignments, { query: {}, body: { chat_id: chatId } })).assignments,
    enabled: opened,
    staleTime: 0,
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Why this agent?" size="lg">
      <Loaded query={query} empty={<Empty title="Nobody has answered yet" />}>
        {(assignments) => (
          <Timeline bulletSize={16} lineWidth={2}>
            {assignments.map(({ id, agent_id: agent, rule, group_ids: groups, assigned_at: at, candidates }) => (
              <Timeline.Item key={id} title={nameOfAgent(agent)}>
                <Text size="sm">
                  {nameOfAgent(agent)} {RULES[rule] ?? rule}.
                </Text>
                <Text size="xs" c="dimmed">
                  <TimeAgo at={at} /> · {formatTime(at)}
                  {groups.length > 0 && ` · for ${groups.map(nameOfGroup).join(', ')}`}
                </Text>
                {candidates.length > 0 && (
                  <Table mt="xs" fz="xs" aria-label="Who could have answered">
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>Could have answered</Table.Th>
                        <Table.Th>Chats then</Table.Th>
                        <Table.Th>Last given one</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {candidates.map((one) => (
                        <Table.Tr key={one.agent_id}>
                          <Table.Td>
                            {nameOfAgent(one.agent_id)}{' '}
                            {one.agent_id === agent && (
                              <Badge size="xs" variant="light">
                                chosen
                              </Badge>
                            )}
                          </Table.Td>
                          <Table.Td>
                            {one.open} of {one.limit}
                          </Table.Td>
                          <Table.Td>{one.last_assigned_at ? formatTime(one.last_assigned_at) : 'never'}</Table.Td>
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
