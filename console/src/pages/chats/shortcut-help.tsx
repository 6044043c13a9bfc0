import { Kbd, Modal, Table } from '@mantine/core';
import { t } from './t.ts';

const SHORTCUTS: [keys: string[], does: string][] = [
  [['Alt', '↓'], t('nextChatAlsoWhileTyping')],
  [['Alt', '↑'], t('previousChatAlsoWhileTyping')],
  [['J'], t('nextChat')],
  [['K'], t('previousChat')],
  [['R'], t('writeReply')],
  [['N'], t('writePrivateNote')],
  [['#'], t('cannedResponsesWhileTyping')],
  [['Enter'], t('send')],
  [['Shift', 'Enter'], t('newLine')],
  [['T'], t('tags')],
  [['M'], t('transfer')],
  [['A'], t('assignToMe')],
  [['I'], t('customerDetails')],
  [['X'], t('endChat')],
  [['Esc'], t('leaveFieldOrClosePanel')],
  [['?'], t('showShortcuts')],
];

export const ShortcutHelp = ({ opened, onClose }: { opened: boolean; onClose(): void }) => (
  <Modal opened={opened} onClose={onClose} title={t('keyboardShortcuts')}>
    <Table>
      <Table.Tbody>
        {SHORTCUTS.map(([keys, does]) => (
          <Table.Tr key={does}>
            <Table.Td>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && ' + '}
                  <Kbd>{key}</Kbd>
                </span>
              ))}
            </Table.Td>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Modal>
);
