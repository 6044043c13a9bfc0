import { chatReportModels } from './testing-report-chats.ts';
import type { ReportModels } from './testing-report-rows.ts';
import { ticketReportModels } from './testing-report-tickets.ts';
import { visitorReportModels } from './testing-report-visitors.ts';

/** Every report by its path, as it should be answered. */
export const reportModels: ReportModels = { ...chatReportModels, ...visitorReportModels, ...ticketReportModels };
