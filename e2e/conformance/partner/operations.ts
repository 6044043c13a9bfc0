/** Every operation of the document and its success status. */
const best = '/v2/partners/affiliates/campaigns/best-performing';

export const currentRows = [
  'GET /v2/partners/status 200',
  'GET /v2/partners 200',
  'PUT /v2/partners 204',
  'GET /v2/partners/stats 200',
  'GET /v2/partners/coupons 200',
  'GET /v2/partners/earnings 200',
  'GET /v2/partners/balance 200',
  'GET /v2/partners/reports/commission 200',
  'GET /v2/partners/metrics/commission 200',
  'GET /v2/partners/partners-referred/reports/commission 200',
  'GET /v2/partners/billing 200',
  'PUT /v2/partners/billing 204',
  'POST /v2/partners/withdrawals 201',
  'GET /v2/partners/withdrawals 200',
  'POST /v2/partners/tokens 201',
  'GET /v2/partners/tokens 200',
  'DELETE /v2/partners/tokens/<id> 204',
  'POST /v2/partners/affiliates/campaigns 201',
  'GET /v2/partners/affiliates/campaigns/search 200',
  'GET /v2/partners/affiliates/campaigns 200',
  'DELETE /v2/partners/affiliates/campaigns/<campaign_id> 204',
  'GET /v2/partners/affiliates/licenses 200',
  'GET /v2/partners/affiliates/licenses/<status> 200',
  'GET /v2/partners/affiliates/performance 200',
  'GET /v2/partners/affiliates/partners-referred 200',
  'GET /v2/partners/affiliates/links 200',
  'GET /v2/partners/affiliates/metrics/trials 200',
  'GET /v2/partners/affiliates/metrics/earnings 200',
  'GET /v2/partners/affiliates/metrics/conversions 200',
  'GET /v2/partners/affiliates/metrics/clicks 200',
  'GET /v2/partners/partners-referred/metrics/commission 200',
  'GET /v2/partners/affiliates/reports/trials 200',
  'GET /v2/partners/affiliates/reports/earnings 200',
  'GET /v2/partners/affiliates/reports/conversions 200',
  'GET /v2/partners/affiliates/reports/clicks 200',
  `GET ${best}/reports/clicks 200`,
  `GET ${best}/reports/trials 200`,
  `GET ${best}/reports/conversions 200`,
  `GET ${best}/reports/earnings 200`,
  `GET ${best}/metrics/clicks 200`,
  `GET ${best}/metrics/trials 200`,
  `GET ${best}/metrics/conversions 200`,
  `GET ${best}/metrics/earnings 200`,
  'GET /v2/partners/affiliates/summary 200',
];

const reseller = '/v2/partners/resellers/licenses';

export const earlierRows = [
  'PUT /v2/partners 200',
  'PUT /v2/partners/password 200',
  'GET /v2/partners/active-licenses 200',
  'POST /v2/partners/affiliates/campaigns 201',
  'DELETE /v2/partners/affiliates/campaigns/<slug> 200',
  'GET /v2/partners/affiliates/campaigns/active 200',
  'GET /v2/partners/affiliates/campaigns/disabled 200',
  'GET /v2/partners/affiliates/history 200',
  'GET /v2/partners/affiliates/billing 200',
  'PUT /v2/partners/affiliates/billing 200',
  'POST /v2/partners/affiliates/withdrawals 201',
  'GET /v2/partners/affiliates/withdrawals 200',
  `POST ${reseller} 201`,
  `GET ${reseller} 200`,
  `GET ${reseller}/<license_id> 200`,
  `GET ${reseller}/<license_id>/invoices 200`,
  `GET ${reseller}/<license_id>/invoices/<invoice_no> 200`,
  'GET /v2/partners/resellers/history 200',
  `POST ${reseller}/<license_id>/subscription 201`,
  `PUT ${reseller}/<license_id>/subscription 200`,
  `PUT ${reseller}/<license_id>/billing 200`,
  `DELETE ${reseller}/<license_id>/subscription 200`,
  'POST /v2/partners/experts/profile/logo 200',
  'POST /v2/partners/experts/profile 200',
  'PUT /v2/partners/experts/profile 200',
  'GET /v2/partners/experts/profile 200',
  'GET /v2/partners/experts/comments 200',
  'GET /v2/partners/experts/stats 200',
  'GET /v2/partners/experts/history 200',
];

/** Whether a response matches the row. */
const matches = (row: string, { method, path, status }: { method: string; path: string; status: number }): boolean => {
  const [wanted, pattern, success] = row.split(' ') as [string, string, string];
  const address = new RegExp(`^${pattern.replace(/<\w+>/g, '[^/]+')}$`);
  return method === wanted && address.test(path) && status === Number(success);
};

/** Records responses, so that a row without a test is detected. */
export const createResponseLog = () => {
  const responses = new Map<string, { method: string; path: string; status: number }>();
  return {
    record: (method: string, path: string, status: number): void =>
      void responses.set(`${method} ${path} ${status}`, { method, path, status }),
    untestedRows: (rows: string[]): string[] =>
      rows.filter((row) => ![...responses.values()].some((response) => matches(row, response))),
  };
};
