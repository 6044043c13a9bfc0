import { type Static, Type } from 'typebox';

/** What a shop tells of an order; anything of it makes reaching a goal a sale. An empty field says nothing. */
export const orderFields = {
  order_id: Type.Optional(
    Type.String({ maxLength: 256, description: 'The same order is one sale, however often told' }),
  ),
  order_description: Type.Optional(Type.String({ maxLength: 1024 })),
  order_price: Type.Optional(
    Type.String({
      pattern: '^(\\d{1,12}(\\.\\d{1,6})?)?$',
      description: 'A decimal with a period',
      examples: ['24.99'],
    }),
  ),
  order_currency: Type.Optional(Type.String({ pattern: '^([A-Za-z]{3})?$', examples: ['USD'] })),
};

const Order = Type.Object(orderFields);
export type Order = Static<typeof Order>;
