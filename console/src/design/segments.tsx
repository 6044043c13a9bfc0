import { SegmentedControl, Text } from '@mantine/core';

interface SegmentsProps<T extends string> {
  label: string;
  data: { value: T; label: string }[];
  value: T;
  onChange(value: T): void;
}

/** A segmented control with a visible label. */
export const Segments = <T extends string>({ label, onChange, ...control }: SegmentsProps<T>) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <SegmentedControl aria-label={label} onChange={(value) => onChange(value as T)} {...control} />
  </div>
);
