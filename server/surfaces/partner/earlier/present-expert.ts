import type { ExpertProfile, ExpertProfileChanges } from '#contracts/partner/earlier/experts.ts';
import { logoUrlOf } from '#server/domain/partners/experts/logo.ts';
import type { ExpertChanges, ExpertRecord } from '#server/domain/partners/experts/profile.ts';
import type { Services } from '#server/domain/scope.ts';

export const presentExpert = (services: Services, expert: ExpertRecord): ExpertProfile => {
  const [social_1 = '', social_2 = '', social_3 = '', social_4 = ''] = expert.socials;
  return {
    expert_id: String(expert.partnerId),
    status: expert.status,
    company: expert.company,
    phone: expert.phone,
    logo: expert.logoKey ? logoUrlOf(services.installation, expert.logoKey) : '',
    description: expert.description,
    short_description: expert.shortDescription,
    agents: expert.agents,
    hour_rate: expert.hourRate,
    project_rate: expert.projectRate,
    country: expert.country,
    website: expert.website,
    ...{ social_1, social_2, social_3, social_4 },
    categories: expert.categories,
    languages: expert.languages,
    projects: expert.projects,
  };
};

export const readExpertChanges = (body: ExpertProfileChanges): ExpertChanges => {
  const { short_description: shortDescription, hour_rate: hourRate = '', project_rate: projectRate = '' } = body;
  const { social_1 = '', social_2 = '', social_3 = '', social_4 = '' } = body;
  const { company, phone, description, country, website, categories, projects, agents, languages } = body;
  return {
    ...{ company, phone, description, shortDescription, hourRate, projectRate, country, website },
    ...{ categories, projects, agents, languages },
    socials: [social_1, social_2, social_3, social_4],
  };
};
