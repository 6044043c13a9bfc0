import type { ReactNode } from 'react';
import { Page } from '../../design/page.tsx';
import { AddLink } from '../../editing/add-link.tsx';
import { BackLink } from '../../editing/back-link.tsx';
import { findSection, type SectionPath } from './sections.ts';

interface SectionPageProps {
  of: SectionPath;
  /** Label of a link to `<section>/new`. */
  addLabel?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The list page of a section. */
export const SectionPage = ({ of, addLabel, actions, children }: SectionPageProps) => {
  const { title, about } = findSection(of)!;
  const add = addLabel && <AddLink to="/settings/$" path={`${of}/new`} label={addLabel} />;
  return (
    <Page title={title} about={about} actions={add || actions}>
      {children}
    </Page>
  );
};

interface EditorPageProps {
  of: SectionPath;
  title: string;
  children: ReactNode;
}

/** The page of one item. */
export const EditorPage = ({ of, title, children }: EditorPageProps) => (
  <Page title={title} actions={<BackLink to="/settings/$" path={of} label={findSection(of)!.title} />}>
    {children}
  </Page>
);
