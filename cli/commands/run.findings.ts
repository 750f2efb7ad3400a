import { withDaemon } from '../daemon/withDaemon.ts';
import { usage } from '../input/parse.ts';
import type { Action } from '../io/io.ts';
import { printFindings } from '../print/findings.ts';
import { printJson } from '../print/output.ts';
import { sarifLog } from '../print/sarif.ts';
import { shortId } from '../print/text.ts';

interface Options {
  json?: boolean;
  sarif?: boolean;
}

export const action: Action = async ([runId]: [string], { json, sarif }: Options, io) => {
  if (json && sarif) throw usage('--json and --sarif cannot be used together');
  const answer = await withDaemon(io, (client) => client.call('run.findings', { runId }));
  if (json) printJson(io, answer);
  else if (sarif) printJson(io, sarifLog(answer.findings));
  else printFindings(io, answer, `Reviewers have reported no findings in run ${shortId(answer.runId)}.`);
  return 0;
};
