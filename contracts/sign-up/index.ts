import { Type } from 'typebox';
import { defineOperation, type SurfaceContract } from '../operation.ts';
import { PartnerError, partnerErrorStatuses } from '../partner/error.ts';
import { Email, Name, oneOf } from '../values.ts';

const MAX_MARK_LENGTH = 2000;

const Mark = (description?: string) =>
  Type.Optional(Type.String({ maxLength: MAX_MARK_LENGTH, ...(description ? { description } : {}) }));

/** What the link said that somebody came by. */
const marks = {
  a: Mark('The partner whose link it was. Without it the last click of the last 120 days counts, known by a cookie.'),
  utm_campaign: Mark('The campaign; without it, or when it is unknown, the partner’s own for the product'),
  utm_medium: Mark(),
  utm_content: Mark(),
  utm_term: Mark(),
  utm_source: Mark(),
};

const Password = Type.String({ minLength: 6, maxLength: 200 });

export const showSignUp = defineOperation({
  name: 'show_sign_up',
  method: 'GET',
  path: '/signup',
  summary: 'The page to begin a trial on',
  public: true,
  download: true,
  responses: { 200: null },
});

export const signUp = defineOperation({
  name: 'sign_up',
  method: 'POST',
  path: '/signup',
  summary: 'Begins a trial: an organization with its owner',
  description: 'JSON or a form. A browser that asks for HTML gets the same answer as a page.',
  public: true,
  body: Type.Object({
    email: Email({ description: 'The owner signs in by it' }),
    name: Name(),
    password: Password,
    organization: Name(),
    product: Type.Optional(oneOf('mainchat', 'chatbot', 'helpdesk')),
    ...marks,
  }),
  responses: {
    201: Type.Object({
      organization_id: Type.String(),
      license_id: Type.Integer(),
      login: Type.String(),
    }),
  },
  errors: [403, 409],
});

export const showJoin = defineOperation({
  name: 'show_join',
  method: 'GET',
  path: '/join',
  summary: 'The page to become a partner on',
  public: true,
  download: true,
  responses: { 200: null },
});

export const join = defineOperation({
  name: 'join',
  method: 'POST',
  path: '/join',
  summary: 'Makes somebody a partner, with a first API token',
  description: 'JSON or a form. A browser that asks for HTML gets the same answer as a page.',
  public: true,
  body: Type.Object({
    email: Email({ description: 'The login of the partner' }),
    first_name: Name(),
    last_name: Name(),
    password: Password,
    ...marks,
  }),
  responses: { 201: Type.Object({ partner_id: Type.String(), login: Type.String(), token: Type.String() }) },
  errors: [403, 409],
});

export const signUpContract: SurfaceContract = {
  name: 'sign-up',
  title: 'Sign-up',
  version: '1',
  description: 'Where trials begin and partners join. Partners’ links lead here by `/go/<code>`.',
  operations: [showSignUp, signUp, showJoin, join],
  error: PartnerError,
  errors: partnerErrorStatuses,
  security: {},
};
