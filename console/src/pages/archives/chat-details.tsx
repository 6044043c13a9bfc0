import { Button, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { createTicket } from '#contracts/agent/tickets.ts';
import { type ArchivedChat, updateChatTags } from '#contracts/chat-ops/chats.ts';
import { call, callRest } from '../../api/call.ts';
import { useGroupName } from '../../api/people.ts';
import { EditTags } from '../../design/edit-tags.tsx';
import { Facts } from '../../design/facts.tsx';
import { SafeLink } from '../../design/safe-link.tsx';
import { formatSpan, formatTime } from '../../design/time-ago.tsx';
import { useAction } from '../../design/use-action.ts';
import { SendTranscript } from './send-transcript.tsx';
import { t } from './t.ts';
import { RATE_NAMES } from './to-rows.ts';
import { refetchArchives } from './use-archives.ts';

const nameOf = ({ display_name }: { display_name: string }): string => display_name;

const Survey = ({ title, answers }: { title: string; answers: ArchivedChat['prechat_survey'] }) =>
  answers.length === 0 ? null : (
    <>
      <Title order={3} size="h6">
        {title}
      </Title>
      <Facts facts={answers.map(({ key, value }) => [key, value])} />
    </>
  );

const CreateTicketButton = ({ chatId }: { chatId: string }) => {
  const navigate = useNavigate();
  const creating = useAction(
    () => call(createTicket, { body: { thread_id: chatId } }),
    ({ ticket }) => navigate({ to: '/tickets/$', params: { _splat: ticket.id } }),
  );
  return (
    <Button size="xs" variant="default" loading={creating.isPending} onClick={() => creating.mutate()}>
      {t('createTicket')}
    </Button>
  );
};

/** Details of an archived chat. */
export const ChatDetails = ({ chat }: { chat: ArchivedChat }) => {
  const groupName = useGroupName();
  const { visitor, queue, goals = [], custom_variables = [] } = chat;
  const saveTags = async (tag: string[]): Promise<void> => {
    await callRest(updateChatTags, { params: { chat_id: chat.id }, body: { tag } });
    await refetchArchives();
  };
  return (
    <Stack gap="sm">
      <EditTags tags={chat.tags} onChange={saveTags} />
      <SendTranscript chatId={chat.id} />
      {!chat.pending && <CreateTicketButton chatId={chat.id} />}
      <Facts
        facts={[
          [t('visitor'), visitor.name],
          [t('location'), [visitor.city, visitor.region, visitor.country].filter(Boolean).join(', ')],
          [t('agents'), chat.agents.map(nameOf).join(', ')],
          [t('supervisors'), chat.supervisors.map(nameOf).join(', ')],
          [t('groups'), chat.group.map(groupName).join(', ')],
          [t('started'), formatTime(chat.started_timestamp * 1000)],
          [t('ended'), chat.ended_timestamp && formatTime(chat.ended_timestamp * 1000)],
          [t('duration'), formatSpan(chat.duration)],
          [t('waitedInQueue'), queue && formatSpan(queue.duration)],
          [t('rating'), RATE_NAMES[chat.rate]],
          [t('startPage'), chat.chat_start_url && <SafeLink url={chat.chat_start_url} />],
          [t('referrer'), chat.referrer && <SafeLink url={chat.referrer} />],
          [t('ipAddress'), visitor.ip],
          [t('browser'), visitor.user_agent],
          ...goals.map(({ name, date }): [string, string] => [t('goal'), `${name}, ${date}`]),
          ...custom_variables.map(({ key, value }): [string, string] => [key, value]),
        ]}
      />
      <Survey title={t('preChatForm')} answers={chat.prechat_survey} />
      <Survey title={t('postChatForm')} answers={chat.postchat_survey} />
      <Text size="sm">
        <Link to="/archives" search={{ visitor: visitor.id } as never}>
          {t('allChatsWithThisVisitor')}
        </Link>
      </Text>
    </Stack>
  );
};
