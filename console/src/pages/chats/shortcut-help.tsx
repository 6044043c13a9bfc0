import { Kbd, Modal, Table } from '@mantine/core';

const SHORTCUTS: [keys: string[], does: string][] = [
  [['Alt', '↓'], 'Next chat (also while writing)'],
  [['Alt', '↑'], 'Chat before (also while writing)'],
  [['J'], 'Next chat'],
  [['K'], 'Chat before'],
  [['R'], 'Write a reply'],
  [['N'], 'Write a private note'],
  [['#'], 'Canned responses, while writing'],
  [['Enter'], 'Send'],
  [['Shift', 'Enter'], 'New line'],
  [['T'], 'Tags'],
  [['M'], 'Transfer'],
  [['A'], 'Take the chat'],
  [['I'], 'About the customer'],
  [['X'], 'Close the chat'],
  [['Esc'], 'Leave the text field, close what is open'],
  [['?'], 'This list'],
];

export const ShortcutHelp = ({ opened, onClose }: { opened: boolean; onClose(): void }) => (
  <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
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
