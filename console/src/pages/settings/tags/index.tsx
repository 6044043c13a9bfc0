import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createTag, deleteTag } from '#contracts/chat-ops/tags.ts';
import { callRest } from '../../../api/call.ts';
import { tagsQuery, useAgentName, useGroupName } from '../../../api/people.ts';
import { keys, refetch } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { Form } from '../../../design/form.tsx';
import { notifySuccess } from '../../../design/notices.ts';
import { Empty } from '../../../design/states.tsx';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { useSubmit } from '../../../editing/use-submit.ts';
import { GroupSelect } from '../group-select.tsx';
import { SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';

const AddTag = () => {
  const { login } = useSession();
  const [name, setName] = useState('');
  const [group, setGroup] = useState(0);
  const { submit, isBusy, failure } = useSubmit(async () => {
    await callRest(createTag, { body: { author: login, tag: name.trim(), group } });
    await refetch(keys.tags);
    notifySuccess(t('tagNameAdded', { name: name.trim() }));
    setName('');
  });
  return (
    <Form noValidate onSubmit={() => submit()}>
      <Group align="flex-start" mb="md" gap="sm">
        <TextInput
          label={t('newTag')}
          maxLength={100}
          value={name}
          error={failure}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <GroupSelect value={group} onGroup={setGroup} />
        <Button type="submit" mt={25} loading={isBusy} disabled={name.trim() === ''}>
          {t('addTag')}
        </Button>
      </Group>
    </Form>
  );
};

export const TagsSection = () => {
  const tags = useQuery(tagsQuery);
  const groupName = useGroupName();
  const agentName = useAgentName();
  return (
    <SectionPage of="tags">
      <AddTag />
      <QueryRows
        label={t('tags')}
        query={tags}
        empty={<Empty title={t('noTagsYet')}>{t('tagsLabelChatsAndTickets')}</Empty>}
      >
        {({ name, group, author, count: { inChats, inTickets } }) => (
          <Row
            key={`${group} ${name}`}
            title={name}
            detail={[
              groupName(group),
              t('chatCount', { count: inChats }),
              t('ticketCount', { count: inTickets }),
              t('byAgent', { agent: agentName(author) }),
            ].join(' · ')}
            aside={
              <ConfirmButton
                size="xs"
                label={t('delete')}
                aria-label={t('deleteLabel', { name })}
                question={t('deleteTagName', { name })}
                confirmLabel={t('deleteTag')}
                onConfirm={() => callRest(deleteTag, { params: { tag: name }, query: { group }, body: {} })}
                refetch={[keys.tags]}
                notice={t('tagDeleted')}
              >
                {t('chatsAndTicketsThatAlready')}
              </ConfirmButton>
            }
          />
        )}
      </QueryRows>
    </SectionPage>
  );
};
