import { Button, Group, Modal, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../design/form.tsx';
import { sendToChat } from '../../realtime/chats/sending.ts';
import { t } from './t.ts';

interface CardDialogProps {
  chatId: string;
  opened: boolean;
  onClose(): void;
}

const EMPTY = { template: 'cards' as 'cards' | 'quick_replies', title: '', subtitle: '', buttons: ['', '', ''] };

const postbackOf = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, '_').slice(0, 100);

/** A card with buttons, or a question with quick replies. */
export const CardDialog = ({ chatId, opened, onClose }: CardDialogProps) => {
  const [card, setCard] = useState(EMPTY);
  const buttons = card.buttons.map((text) => text.trim()).filter(Boolean);
  const isReplies = card.template === 'quick_replies';
  const isReady = card.title.trim() !== '' && (!isReplies || buttons.length > 0);

  const send = (): void => {
    sendToChat(chatId, {
      type: 'rich_message',
      template_id: card.template,
      elements: [
        {
          title: card.title.trim(),
          ...(!isReplies && card.subtitle.trim() ? { subtitle: card.subtitle.trim() } : {}),
          ...(buttons.length > 0 ? { buttons: buttons.map((text) => ({ text, postback_id: postbackOf(text) })) } : {}),
        },
      ],
    });
    setCard(EMPTY);
    onClose();
  };

  return (
    <Modal opened={opened} onClose={onClose} title={t('cardOrQuickReplies')}>
      <Form onSubmit={() => isReady && send()}>
        <Stack gap="sm">
          <SegmentedControl
            aria-label={t('type')}
            data={[
              { value: 'cards', label: t('card') },
              { value: 'quick_replies', label: t('quickReplies') },
            ]}
            value={card.template}
            onChange={(value) => setCard({ ...card, template: value as typeof card.template })}
          />
          <TextInput
            label={isReplies ? t('question') : t('title')}
            required
            maxLength={200}
            value={card.title}
            onChange={(event) => setCard({ ...card, title: event.currentTarget.value })}
            data-autofocus
          />
          {!isReplies && (
            <Textarea
              label={t('text')}
              maxLength={1000}
              autosize
              value={card.subtitle}
              onChange={(event) => setCard({ ...card, subtitle: event.currentTarget.value })}
            />
          )}
          {card.buttons.map((text, index) => (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields have no other name than their place.
              key={index}
              label={isReplies ? t('replyNumber', { number: index + 1 }) : t('buttonNumber', { number: index + 1 })}
              maxLength={100}
              value={text}
              onChange={(event) => setCard({ ...card, buttons: card.buttons.with(index, event.currentTarget.value) })}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={!isReady}>
              {t('send')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
};
