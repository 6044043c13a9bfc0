import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Secondary text: hints, times, details. */
export const Dimmed = ({ children, ...text }: TextProps & { children: ReactNode }) => (
  <Text size="sm" c="dimmed" {...text}>
    {children}
  </Text>
);
