import { Type } from 'typebox';
import { defineOperation, type SurfaceContract } from '../operation.ts';
import { PartnerError, partnerErrorStatuses } from '../partner/error.ts';
import { Email, Name, oneOf } from '../values.ts';

const MAX_ATTRIBUTION_LENGTH = 2000;

const AttributionField = (description?: string) =>
  Type.Optional(Type.String({ maxLength: MAX_ATTRIBUTION_LENGTH, ...(description ? { description } : {}) }));

/** Attribution parameters of a partner link. */
const attribution = {
  a: AttributionField('The partner id. Without it, the last click within 120 days counts, identified by a cookie.'),
  utm_campaign: AttributionField('The campaign; defaults to the partner’s default campaign for the product'),
  utm_medium: AttributionField(),
  utm_content: AttributionField(),
  utm_term: AttributionField(),
  utm_source: AttributionField(),
};

const Invitation = Type.Optional(
  Type.String({ maxLength: 200, description: 'The code from the operator, needed while `SIGNUP` is `invite`' }),
);

const Password = Type.String({ minLength: 6, maxLength: 200 });

export const showSignUp = defineOperation({
  name: 'show_sign_up',
  method: 'GET',
  path: '/signup',
  summary: 'Returns the sign-up page',
  public: true,
  download: true,
  responses: { 200: null },
  errors: [403],
});

export const signUp = defineOperation({
  name: 'sign_up',
  method: 'POST',
  path: '/signup',
  summary: 'Starts a trial: creates an organization and its owner',
  description: 'Accepts JSON or a form. Browsers that accept HTML get a page.',
  public: true,
  body: Type.Object({
    email: Email({ description: 'The owner’s login' }),
    name: Name(),
    password: Password,
    organization: Name(),
    product: Type.Optional(oneOf('mainchat', 'chatbot', 'helpdesk')),
    invitation: Invitation,
    ...attribution,
  }),
  responses: {
    201: Type.Object({
      organization_id: Type.String(),
      license_id: Type.Integer(),
      login: Type.String(),
    }),
  },
  errors: [403],
});

export const showJoin = defineOperation({
  name: 'show_join',
  method: 'GET',
  path: '/join',
  summary: 'Returns the page to join the partner program',
  public: true,
  download: true,
  responses: { 200: null },
  errors: [403],
});

export const join = defineOperation({
  name: 'join',
  method: 'POST',
  path: '/join',
  summary: 'Creates a partner account with a first API token',
  description: 'Accepts JSON or a form. Browsers that accept HTML get a page.',
  public: true,
  body: Type.Object({
    email: Email({ description: 'The partner’s login' }),
    first_name: Name(),
    last_name: Name(),
    password: Password,
    invitation: Invitation,
    ...attribution,
  }),
  responses: { 201: Type.Object({ partner_id: Type.String(), login: Type.String(), token: Type.String() }) },
  errors: [403],
});

export const signUpContract: SurfaceContract = {
  name: 'sign-up',
  title: 'Sign-up',
  version: '1',
  description:
    'Starting trials and joining the partner program. Partner links lead here through `/go/<code>`. The setting `SIGNUP` decides who can use it: `open`, `invite` or `closed` (403).',
  operations: [showSignUp, signUp, showJoin, join],
  error: PartnerError,
  errors: partnerErrorStatuses,
  security: {},
};
