import { type Static, Type } from 'typebox';
import { countries } from '../../countries.ts';
import { defineOperation } from '../../operation.ts';
import { Empty, Name, oneOf } from '../../values.ts';
import { PartnerTimestamp, WebAddress } from '../values.ts';

export const expertCategories = [
  'outsourcing-customer-service',
  'lead-generation',
  'custom-development',
  'product-implementation',
  'chatbot-building',
  'chat-strategy-consultancy',
  'training',
  'api-and-integrations',
] as const;

export const teamSizes = ['1-5', '6-15', '16-30', '31-50', '51+'] as const;

/** ISO 639-1. */
const languages = (
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu ' +
  'fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky ' +
  'la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu ' +
  'rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
).split(' ');

const Rate = Type.String({ maxLength: 100 });
/** Forms send an empty string for a missing page. */
const MaybeAddress = Type.Union([WebAddress, Type.Literal('')]);
const list = <const T extends string>(values: readonly T[]) =>
  Type.Array(oneOf(...values), { uniqueItems: true, maxItems: values.length });

const ExpertProfileChanges = Type.Object({
  company: Name({ minLength: 4 }),
  phone: Name({ maxLength: 50 }),
  description: Name({ minLength: 10, maxLength: 10_000 }),
  short_description: Name({ minLength: 10, maxLength: 500 }),
  country: oneOf(...countries),
  website: WebAddress,
  categories: Type.Intersect([list(expertCategories), Type.Array(Type.String(), { minItems: 1 })]),
  projects: Type.Array(WebAddress, { maxItems: 50 }),
  agents: Type.Optional(oneOf(...teamSizes)),
  languages: Type.Optional(list(languages)),
  hour_rate: Type.Optional(Rate),
  project_rate: Type.Optional(Rate),
  social_1: Type.Optional(MaybeAddress),
  social_2: Type.Optional(MaybeAddress),
  social_3: Type.Optional(MaybeAddress),
  social_4: Type.Optional(MaybeAddress),
});
export type ExpertProfileChanges = Static<typeof ExpertProfileChanges>;

export const ExpertProfile = Type.Object({
  expert_id: Type.String(),
  status: Type.String({ description: '`pending`, `approved` or `rejected`' }),
  company: Type.String(),
  phone: Type.String(),
  logo: Type.String({ description: 'The public URL' }),
  description: Type.String(),
  short_description: Type.String(),
  agents: Type.String(),
  hour_rate: Type.String(),
  project_rate: Type.String(),
  country: Type.String(),
  website: Type.String(),
  social_1: Type.String(),
  social_2: Type.String(),
  social_3: Type.String(),
  social_4: Type.String(),
  categories: Type.Array(Type.String()),
  languages: Type.Array(Type.String()),
  projects: Type.Array(Type.String()),
});
export type ExpertProfile = Static<typeof ExpertProfile>;

const path = '/v2/partners/experts/profile';

export const uploadExpertLogo = defineOperation({
  name: 'upload_expert_logo',
  method: 'POST',
  path: `${path}/logo`,
  audit: false,
  summary: 'Replaces the logo',
  description:
    'A JPEG or PNG image of 350 × 350 to 1000 × 1000 pixels, as the body itself or as the only file of `multipart/form-data`.',
  upload: true,
  responses: { 200: Type.Object({ result: Type.String({ description: 'The public URL' }) }) },
  errors: [403],
});

const saving = {
  body: ExpertProfileChanges,
  responses: { 200: Empty },
  errors: [403],
  description:
    'Requires an uploaded logo. `agents` and `languages` are required with the categories `outsourcing-customer-service` and `lead-generation`.',
} as const;

export const createExpertProfile = defineOperation({
  name: 'create_expert_profile',
  method: 'POST',
  path,
  audit: false,
  summary: 'Creates the expert profile',
  ...saving,
});

export const updateExpertProfile = defineOperation({
  name: 'update_expert_profile',
  method: 'PUT',
  path,
  audit: false,
  summary: 'Replaces the expert profile',
  ...saving,
});

export const getExpertProfile = defineOperation({
  name: 'get_expert_profile',
  method: 'GET',
  path,
  summary: 'The expert profile',
  responses: { 200: ExpertProfile },
  errors: [403],
});

export const listExpertComments = defineOperation({
  name: 'list_expert_comments',
  method: 'GET',
  path: '/v2/partners/experts/comments',
  summary: 'Comments about the expert, newest first',
  responses: {
    200: Type.Object({
      result: Type.Array(
        Type.Object({
          comment: Type.String(),
          author: Type.String(),
          creation_timestamp: PartnerTimestamp,
          website: Type.String(),
        }),
      ),
    }),
  },
  errors: [403],
});

export const getExpertStats = defineOperation({
  name: 'get_expert_stats',
  method: 'GET',
  path: '/v2/partners/experts/stats',
  summary: 'The status and position of the expert, with the number of comments and messages',
  responses: {
    200: Type.Object({
      position: Type.Integer({ description: 'The position among the approved experts; 0 for others' }),
      comments: Type.Integer(),
      messages: Type.Integer(),
    }),
  },
  errors: [403],
});

export const listExpertHistory = defineOperation({
  name: 'list_expert_history',
  method: 'GET',
  path: '/v2/partners/experts/history',
  summary: 'Views of the profile by month',
  responses: {
    200: Type.Object({
      result: Type.Array(
        Type.Object({ date: Type.String({ pattern: '^\\d{4}-\\d{2}$' }), profile_views: Type.Integer() }),
      ),
    }),
  },
  errors: [403],
});
