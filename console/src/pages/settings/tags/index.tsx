import { Button, Group, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createTag, deleteTag } from '#contracts/chat-ops/tags.ts';
import { callRest } from '../../../api/call.ts';
import { tagsQuery, useAgentName, useGroupName } from '../../../api/people.ts';
import { keys } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { sayDone } from '../../../design/notices.ts';
import { Empty, Loaded } from '../../../design/states.tsx';
import { explainFailure } from '../../../editing/faults.ts';
import { Row, RowList } from '../../../editing/row-list.tsx';
import { GroupSelect } from '../group-select.tsx';
import { SectionPage } from '../section.tsx';

const AddTag = () => {
  const client = useQueryClient();
  const { login } = useSession();
  const [name, setName] = useState('');
  const [group, setGroup] = useState(0);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const add = async (): Promise<void> => {
    if (name.trim() === '') return setFailure('Must not be empty.');
    setBusy(true);
    try {
      await callRest(createTag, { body: { author: login, tag: name.trim(), group } });
      await client.invalidateQueries({ queryKey: keys.tags });
      sayDone(`The tag ${name.trim()} is made.`);
      setName('');
      setFailure(undefined);
    } catch (error) {
      setFailure(explainFailure(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Group align="flex-start" mb="md" gap="sm">
        <TextInput
          label="New tag"
          maxLength={100}
          value={name}
          error={failure}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <GroupSelect value={group} onGroup={setGroup} />
        <Button type="submit" mt={25} loading={isBusy}>
          Add tag
        </Button>
      </Group>
    </form>
  );
};

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

export const TagsSection = () => {
  const client = useQueryClient();
  const tags = useQuery(tagsQuery);
  const groupName = useGroupName();
  const agentName = useAgentName();
  const remove = async (tag: string, group: number): Promise<void> => {
    await callRest(deleteTag, { params: { tag }, query: { group }, body: {} });
    await client.invalidateQueries({ queryKey: keys.tags });
    sayDone('The tag is removed.');
  };
  return (
    <SectionPage of="tags">
      <AddTag />
      <Loaded query={tags} empty={<Empty title="No tags yet">Agents mark chats and tickets with them.</Empty>}>
        {(all) => (
          <RowList label="Tags">
            {all.map(({ name, group, author, count: { inChats, inTickets } }) => (
              <Row
                key={`${group} ${name}`}
                title={name}
                detail={`${groupName(group)} · ${count(inChats, 'chat')}, ${count(inTickets, 'ticket')} · by ${agentName(author)}`}
                aside={
                  <ConfirmButton
                    size="xs"
                    label="Remove"
                    aria-label={`Remove ${name}`}
                    question={`Remove the tag ${name}?`}
                    confirmLabel="Remove tag"
                    onConfirm={() => remove(name, group)}
                  >
                    Chats and tickets that have it keep it.
                  </ConfirmButton>
                }
              />
            ))}
          </RowList>
        )}
      </Loaded>
    </SectionPage>
  );
};
