import { ActionIcon } from '@mantine/core';

export const moveItem = <T,>(items: readonly T[], from: number, to: number): T[] => {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
};

interface MoveButtonsProps {
  what: string;
  index: number;
  count: number;
  onMove(to: number): void;
}

/** An order that can be changed by keyboard. */
export const MoveButtons = ({ what, index, count, onMove }: MoveButtonsProps) => (
  <>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Move ${what} up`}
      disabled={index === 0}
      onClick={() => onMove(index - 1)}
    >
      ↑
    </ActionIcon>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Move ${what} down`}
      disabled={index === count - 1}
      onClick={() => onMove(index + 1)}
    >
      ↓
    </ActionIcon>
  </>
);
