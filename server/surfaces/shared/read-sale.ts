import type { Order } from '#contracts/order.ts';
import type { MarkGoalInput } from '#server/domain/support/goals/mark-goal.ts';

/** Any order field makes it a sale; empty form fields are ignored. */
export const readSale = ({
  order_id,
  order_description,
  order_price,
  order_currency,
}: Order): MarkGoalInput['sale'] => {
  const sale = {
    ...(order_id ? { orderId: order_id } : {}),
    ...(order_description ? { description: order_description } : {}),
    ...(order_price ? { price: order_price } : {}),
    ...(order_currency ? { currency: order_currency.toUpperCase() } : {}),
  };
  return Object.keys(sale).length > 0 ? sale : undefined;
};
