import { type Static, Type } from 'typebox';

/** Order details; any non-empty field turns a reached goal into a sale. */
export const orderFields = {
  order_id: Type.Optional(
    Type.String({ maxLength: 256, description: 'Repeated reports of the same order count as one sale' }),
  ),
  order_description: Type.Optional(Type.String({ maxLength: 1024 })),
  order_price: Type.Optional(
    Type.String({
      pattern: '^(\\d{1,12}(\\.\\d{1,6})?)?$',
      description: 'A decimal number with a period',
      examples: ['24.99'],
    }),
  ),
  order_currency: Type.Optional(Type.String({ pattern: '^([A-Za-z]{3})?$', examples: ['USD'] })),
};

const Order = Type.Object(orderFields);
export type Order = Static<typeof Order>;
