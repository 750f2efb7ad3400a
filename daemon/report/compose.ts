import { type ReportDocument, reportDocument } from './document.ts';
import { reportMarkdown } from './markdown.ts';
import type { ReportSubject } from './subject.ts';

export interface Report {
  /** Valid against `common/final-report@1` once the run has ended. */
  json: ReportDocument;
  markdown: string;
}

/**
 * The report of a run: the work that it did and the points that need attention. Pure. An open run gets the report as it
 * would be now.
 */
export function composeReport(subject: ReportSubject): Report {
  const json = reportDocument(subject);
  return { json, markdown: reportMarkdown(json) };
}
