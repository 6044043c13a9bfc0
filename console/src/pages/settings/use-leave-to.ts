import { useNavigate } from '@tanstack/react-router';
import type { SectionPath } from './sections.ts';

/** Returns a function that navigates to the list of a section. */
export const useLeaveTo = (path: SectionPath): (() => Promise<void>) => {
  const navigate = useNavigate();
  return () => navigate({ to: '/settings/$', params: { _splat: path } });
};
