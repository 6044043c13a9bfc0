import { chatReportModels } from './report-chats.ts';
import type { ReportModels } from './report-rows.ts';
import { ticketReportModels } from './report-tickets.ts';
import { visitorReportModels } from './report-visitors.ts';

/** Every report by its path, as it should be answered. */
export const reportModels: ReportModels = { ...chatReportModels, ...visitorReportModels, ...ticketReportModels };
