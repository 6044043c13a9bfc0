import { defineOperation } from '../operation.ts';
import { Empty } from '../values.ts';
import { CustomerPage } from './login.ts';

/** Over sockets only, so it is in no list of addresses. */
export const updateCustomerPage = defineOperation({
  name: 'update_customer_page',
  method: 'POST',
  path: '/v3.5/customer/rtm/ws',
  summary: 'Tells which page the customer is on now',
  body: CustomerPage,
  responses: { 200: Empty },
});
