import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../design/icon.tsx';

interface AddLinkProps {
  to: '/settings/$' | '/team/$';
  path: string;
  label: string;
}

export const AddLink = ({ to, path, label }: AddLinkProps) => (
  <Button
    leftSection={<Icon name="plus" size={16} />}
    renderRoot={(props) => <Link to={to} params={{ _splat: path }} {...props} />}
  >
    {label}
  </Button>
);
