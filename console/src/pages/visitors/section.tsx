import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <Title order={3} size="h6" mb={6}>
      {title}
    </Title>
    {children}
  </section>
);
