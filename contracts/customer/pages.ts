import { defineOperation } from '../operation.ts';
import { Empty } from '../values.ts';
import { CustomerPage } from './login.ts';

/** Available over sockets only, so it is not part of the HTTP contract. */
export const updateCustomerPage = defineOperation({
  name: 'update_customer_page',
  method: 'POST',
  path: '/v3.5/customer/rtm/ws',
  summary: 'Updates the page the customer is on',
  body: CustomerPage,
  responses: { 200: Empty },
});
