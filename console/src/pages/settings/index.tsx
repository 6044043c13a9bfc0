import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ForAdministrators } from '../../editing/for-administrators.tsx';
import { AppearanceSection } from './appearance/index.tsx';
import { AppsSection } from './apps/index.tsx';
import { BansSection } from './bans/index.tsx';
import { CannedResponsesSection } from './canned-responses/index.tsx';
import { FormsSection } from './forms/index.tsx';
import { GoalsSection } from './goals/index.tsx';
import { GreetingsSection } from './greetings/index.tsx';
import { Overview } from './overview.tsx';
import { RoutingSection } from './routing/index.tsx';
import { findSection, type SectionPath } from './sections.ts';
import { SectionsNav } from './sections-nav.tsx';
import classes from './settings.module.css';
import { t } from './t.ts';
import { TagsSection } from './tags/index.tsx';
import { TicketMailSection } from './ticket-mail/index.tsx';
import { TrustedDomainsSection } from './trusted-domains/index.tsx';
import { WebhooksSection } from './webhooks/index.tsx';

/** `id` is the part of the URL after the section. */
const CONTENT: Record<SectionPath, ComponentType<{ id?: string | undefined }>> = {
  'canned-responses': CannedResponsesSection,
  greetings: GreetingsSection,
  forms: FormsSection,
  tags: TagsSection,
  goals: GoalsSection,
  appearance: AppearanceSection,
  'trusted-domains': TrustedDomainsSection,
  routing: RoutingSection,
  'ticket-mail': TicketMailSection,
  bans: BansSection,
  webhooks: WebhooksSection,
  apps: AppsSection,
};

const Sections = () => {
  const { _splat: rest = '' } = useParams({ strict: false });
  const [path = '', id] = rest.split('/');
  const section = findSection(path);
  if (!section) return <Overview />;
  const Content = CONTENT[section.path];
  return (
    <div className={classes.frame}>
      <SectionsNav current={section.path} />
      <div>
        <Content id={id || undefined} />
      </div>
    </div>
  );
};

export const SettingsPage = () => (
  <ForAdministrators title={t('settings')}>
    <Sections />
  </ForAdministrators>
);
