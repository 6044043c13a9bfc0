import { chatReportModels } from './report-chats.ts';
import type { ReportModels } from './report-rows.ts';
import { ticketReportModels } from './report-tickets.ts';
import { visitorReportModels } from './report-visitors.ts';

/** Expected results of all reports by path. */
export const reportModels: ReportModels = { ...chatReportModels, ...visitorReportModels, ...ticketReportModels };
