import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../design/icon.tsx';

interface BackLinkProps {
  to: '/settings/$' | '/team/$';
  path: string;
  label: string;
}

/** A link from an item back to its list. */
export const BackLink = ({ to, path, label }: BackLinkProps) => (
  <Anchor size="sm" display="inline-flex" renderRoot={(props) => <Link to={to} params={{ _splat: path }} {...props} />}>
    <Icon name="back" size={18} />
    {label}
  </Anchor>
);
