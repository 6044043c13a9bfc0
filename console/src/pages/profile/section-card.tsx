import { Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Dimmed } from '../../design/dimmed.tsx';

interface SectionCardProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

export const SectionCard = ({ title, about, children }: SectionCardProps) => {
  const id = useId();
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {about && <Dimmed mt={2}>{about}</Dimmed>}
      <div style={{ marginTop: '1rem' }}>{children}</div>
    </Paper>
  );
};
