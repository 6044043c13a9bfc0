import { type Static, Type } from 'typebox';
import { oneOf } from '../values.ts';

const MAX_FILTERS = 20;
const MAX_VALUE_LENGTH = 200;

/** A JSON string in a query or a form; a JSON body may contain the list itself. */
export const Filters = (description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ description: `A JSON array of {field, value, operator}. ${description}` }));

export const CampaignFilters = Type.Array(
  Type.Object({
    field: oneOf('name', 'product'),
    operator: oneOf('equals', 'contains'),
    value: Type.String({ maxLength: MAX_VALUE_LENGTH }),
  }),
  { maxItems: MAX_FILTERS },
);

const operator = oneOf('equals');
const ProgramIs = Type.Object({
  field: Type.Literal('program'),
  operator,
  value: oneOf('affiliate', 'solution'),
});
const ProductIs = Type.Object({
  field: Type.Literal('product'),
  operator,
  value: oneOf('mainchat', 'chatbot', 'helpdesk', 'partner_program'),
});

type CommissionFilter = Static<typeof ProgramIs> | Static<typeof ProductIs>;

export const CommissionFilters = Type.Array(
  Type.Unsafe<CommissionFilter>({
    type: 'object',
    discriminator: { propertyName: 'field' },
    required: ['field'],
    oneOf: [ProgramIs, ProductIs],
  }),
  { maxItems: MAX_FILTERS },
);
