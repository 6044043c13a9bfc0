/** The display name of customers without a name. */
export const DEFAULT_CUSTOMER_NAME = 'Client';
