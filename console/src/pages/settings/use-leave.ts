import { useNavigate } from '@tanstack/react-router';
import type { SectionPath } from './sections.ts';

/** Back to the list of a section. */
export const useLeaveTo = (path: SectionPath): (() => Promise<void>) => {
  const navigate = useNavigate();
  return () => navigate({ to: '/settings/$', params: { _splat: path } });
};
