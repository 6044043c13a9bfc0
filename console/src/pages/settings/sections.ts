import { t } from './t.ts';

/** URL of a section: `/settings/<path>`. */
export const SECTIONS = [
  {
    title: t('engagement'),
    sections: [
      { path: 'canned-responses', title: t('cannedResponses'), about: t('savedRepliesInsertedWith') },
      { path: 'greetings', title: t('greetings'), about: t('proactiveMessagesAndRules') },
      { path: 'forms', title: t('forms'), about: t('preChatPostChatAnd') },
      { path: 'tags', title: t('tags'), about: t('labelsForChatsAndTickets') },
      { path: 'goals', title: t('goals'), about: t('conversionsYouTrack') },
    ],
  },
  {
    title: t('widget'),
    sections: [
      {
        path: 'appearance',
        title: t('appearanceAndCode'),
        about: t('colorThemePositionAndWebsite'),
      },
      { path: 'trusted-domains', title: t('trustedDomains'), about: t('websitesThatMayShowThe') },
    ],
  },
  {
    title: t('inbox'),
    sections: [
      { path: 'routing', title: t('routing'), about: t('timeoutsAndReassignment') },
      { path: 'ticket-mail', title: t('ticketEmail'), about: t('emailAddressesThatCreateTickets') },
      { path: 'bans', title: t('bannedCustomers'), about: t('bannedCustomersAndIPAddresses') },
    ],
  },
  {
    title: t('developers'),
    sections: [
      { path: 'webhooks', title: t('webhooks'), about: t('httpCallbacksForEventsWith') },
      { path: 'apps', title: t('appsAndAccess'), about: t('oauthAppsAuthorizedAppsAnd') },
    ],
  },
] as const;

export type SectionPath = (typeof SECTIONS)[number]['sections'][number]['path'];

export interface Section {
  path: SectionPath;
  title: string;
  about: string;
}

const all: readonly Section[] = SECTIONS.flatMap(({ sections }) => [...sections] as Section[]);

export const findSection = (path: string): Section | undefined => all.find((section) => section.path === path);
