import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { McpDaemon } from './daemon.ts';
import { textAnswer } from './texts.ts';

/** The report of a run, for programs that attach resources instead of calling tools. */
export const REPORT = {
  name: 'report',
  template: 'devflow://run/{runId}/report',
  metadata: { title: 'Report of a run', description: 'What a run did, as Markdown.', mimeType: 'text/markdown' },
} as const;

export async function readReport(daemon: McpDaemon, uri: URL, runId: string | string[] | undefined) {
  const report = (await daemon.request('run.report', { runId })) as RpcResult<'run.report'>;
  const { mimeType } = REPORT.metadata;
  return { contents: [{ uri: uri.href, mimeType, text: textAnswer(report.markdown).text }] };
}
