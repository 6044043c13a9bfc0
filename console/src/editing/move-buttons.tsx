import { ActionIcon } from '@mantine/core';

export const moveItem = <T,>(items: readonly T[], from: number, to: number): T[] => {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
};

interface MoveButtonsProps {
  upLabel: string;
  downLabel: string;
  index: number;
  count: number;
  onMove(to: number): void;
}

interface ArrowProps {
  label: string;
  isOff: boolean;
  onClick(): void;
  children: string;
}

const Arrow = ({ label, isOff, onClick, children }: ArrowProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    aria-label={label}
    disabled={isOff}
    onClick={onClick}
    {...(isOff ? { bg: 'transparent' } : {})}
  >
    {children}
  </ActionIcon>
);

/** Buttons that reorder a list by keyboard. */
export const MoveButtons = ({ upLabel, downLabel, index, count, onMove }: MoveButtonsProps) => (
  <>
    <Arrow label={upLabel} isOff={index === 0} onClick={() => onMove(index - 1)}>
      ↑
    </Arrow>
    <Arrow label={downLabel} isOff={index === count - 1} onClick={() => onMove(index + 1)}>
      ↓
    </Arrow>
  </>
);
