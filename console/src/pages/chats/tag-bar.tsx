import { ActionIcon, Autocomplete, Button, Pill, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsQuery } from '../../api/people.ts';
import { Form } from '../../design/form.tsx';
import { useAction } from '../../design/use-action.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { addTag, removeTag } from './actions.ts';
import { t } from './t.ts';

const MAX_LENGTH = 128;

export const TagBar = ({ chat }: { chat: LiveChat }) => {
  const { data: allTags = [] } = useQuery(tagsQuery);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [text, setText] = useState('');
  const adding = useAction((tag: string) => addTag(chat, tag));
  const removing = useAction((tag: string) => removeTag(chat, tag));

  const add = (tag: string): void => {
    const newTag = tag.trim();
    if (newTag === '') return;
    adding.mutate(newTag);
    setText('');
    close();
  };

  const choices = [...new Set(allTags.map(({ name }) => name))].filter((name) => !chat.tags.includes(name));
  return (
    <>
      {chat.tags.map((tag) => (
        <Pill
          key={tag}
          withRemoveButton
          removeButtonProps={{ 'aria-label': t('removeTag', { tag }), 'aria-hidden': false, tabIndex: 0 }}
          onRemove={() => removing.mutate(tag)}
        >
          {tag}
        </Pill>
      ))}
      <Popover opened={isOpen} onClose={close} trapFocus position="bottom-start" shadow="md" width={260}>
        <Popover.Target>
          <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={isOpen} data-shortcut="tag">
            {t('addTagButton')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Form onSubmit={() => add(text)}>
            <Autocomplete
              label={t('tag')}
              placeholder={t('selectOrTypeATag')}
              data={choices}
              value={text}
              maxLength={MAX_LENGTH}
              onChange={setText}
              onOptionSubmit={add}
              comboboxProps={{ withinPortal: false }}
              rightSection={
                <ActionIcon type="submit" size="sm" variant="subtle" aria-label={t('addTag')}>
                  +
                </ActionIcon>
              }
              data-autofocus
            />
          </Form>
        </Popover.Dropdown>
      </Popover>
    </>
  );
};
