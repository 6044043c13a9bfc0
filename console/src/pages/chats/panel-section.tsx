import { Accordion } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of the customer panel that can be collapsed. */
export const PanelSection = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <Accordion.Item value={id}>
    <Accordion.Control>{title}</Accordion.Control>
    <Accordion.Panel>{children}</Accordion.Panel>
  </Accordion.Item>
);
