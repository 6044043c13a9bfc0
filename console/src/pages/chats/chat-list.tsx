import { Group, Title, Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { IconButton } from '../../design/icon-button.tsx';
import { Failure, Loading } from '../../design/states.tsx';
import type { ListName } from '../../realtime/chats/lists.ts';
import { useChatListState, useChatLists } from '../../realtime/chats/use-chats.ts';
import classes from './chat-list.module.css';
import { ChatRow } from './chat-row.tsx';
import { NotifyMenu } from './notify-menu.tsx';
import { t } from './t.ts';
import { openShortcutHelp } from './use-chat-shortcuts.ts';
import { useCollapsed } from './use-collapsed.ts';

const HEADINGS: Record<ListName, string> = {
  mine: t('myChats'),
  queue: t('queue'),
  supervised: t('monitored'),
  others: t('otherAgents'),
};
const NAMES = Object.keys(HEADINGS) as ListName[];

type Item = { list: ListName; count: number } | { list: ListName; chatId: string };

const HEAD_HEIGHT = 38;
const ROW_HEIGHT = 70;

const ListHead = ({
  list,
  count,
  isOpen,
  toggle,
}: {
  list: ListName;
  count: number;
  isOpen: boolean;
  toggle(): void;
}) => (
  <h2 className={classes.head}>
    <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={toggle}>
      <span className={classes.arrow} data-open={isOpen || undefined} aria-hidden="true" />
      {HEADINGS[list]}
      <span className={classes.count}>{count}</span>
    </button>
  </h2>
);

const Rows = ({ openId }: { openId: string | undefined }) => {
  const lists = useChatLists();
  const { collapsed, toggle } = useCollapsed();
  const scroller = useRef<HTMLDivElement>(null);
  const items = useMemo(
    () =>
      NAMES.flatMap((list): Item[] => [
        { list, count: lists[list].length },
        ...(collapsed.includes(list) ? [] : lists[list].map((chatId) => ({ list, chatId }))),
      ]),
    [lists, collapsed],
  );
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ('chatId' in items[index]! ? ROW_HEIGHT : HEAD_HEIGHT),
    getItemKey: (index) => {
      const item = items[index]!;
      return 'chatId' in item ? item.chatId : item.list;
    },
    overscan: 6,
  });
  return (
    <div ref={scroller} className={classes.scroller}>
      <div className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const item = items[index]!;
          return (
            <div key={key} className={classes.item} style={{ height: size, transform: `translateY(${start}px)` }}>
              {'chatId' in item ? (
                <ChatRow chatId={item.chatId} list={item.list} isOpen={item.chatId === openId} />
              ) : (
                <ListHead
                  list={item.list}
                  count={item.count}
                  isOpen={!collapsed.includes(item.list)}
                  toggle={() => toggle(item.list)}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
};

export const ChatList = ({ openId }: { openId: string | undefined }) => {
  const { isRead, failure } = useChatListState();
  const content = () => {
    if (isRead) return <Rows openId={openId} />;
    return failure ? <Failure error={failure} /> : <Loading label={t('loadingChats')} />;
  };
  return (
    <nav className={classes.list} aria-label={t('chats')}>
      <Group className={classes.top} justify="space-between" wrap="nowrap">
        <Title order={1} size="h3">
          {t('chats')}
        </Title>
        <Group gap={4} wrap="nowrap">
          <NotifyMenu />
          <Tooltip label={t('keyboardShortcutsHint')}>
            <IconButton icon="keyboard" label={t('keyboardShortcuts')} onClick={openShortcutHelp} />
          </Tooltip>
        </Group>
      </Group>
      {content()}
    </nav>
  );
};
