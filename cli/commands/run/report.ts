import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { usage } from '../../input/parse.ts';
import { printJson } from '../../print/output.ts';
import { plainMarkdown } from '../../print/plainMarkdown.ts';
import { printComments } from '../../print/run/comments.ts';
import { printFindings } from '../../print/run/findings.ts';
import { sarifLog } from '../../print/run/sarif.ts';
import { shortId, visible } from '../../print/text.ts';

export const actions: Pick<Run, 'report' | 'findings'> = {
  async report(params, { json }, io) {
    const report = await withDaemon(io, (client) => client.call('run.report', params));
    if (json) printJson(io, report.json);
    else io.out(`${visible(io.outIsTty ? plainMarkdown(report.markdown) : report.markdown, 'text').trimEnd()}\n`);
    return 0;
  },
  async findings(params, { json, sarif }, io) {
    if (json && sarif) throw usage('--json and --sarif cannot be used together');
    const answer = await withDaemon(io, (client) => client.call('run.findings', params));
    if (json) printJson(io, answer);
    else if (sarif) printJson(io, sarifLog(answer.findings, answer.comments));
    else {
      printFindings(io, answer, `Reviewers have reported no findings in run ${shortId(answer.runId)}.`);
      printComments(io, answer.comments);
    }
    return 0;
  },
};
