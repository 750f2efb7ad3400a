import { FLOWS } from '../../schemas/contracts/autodev/flows.ts';
import { toRecordEvent } from '../../schemas/contracts/autodev/recordEvent.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { answers, callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Autodev } from '../define/autodev.ts';
import { usage } from '../input/parse.ts';
import { pointerFacts, printFlow, printSteps } from '../print/contract/autodev.ts';
import { printReport } from '../print/contract/report.ts';
import { printFacts, printHeading, printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

/** `devflow autodev …`. */
export const actions: Autodev = {
  show: answers('autodev.show', (io, report, json) => {
    if (!json && report.parsed) {
      printFacts(io, pointerFacts(report.parsed.pointer));
      printSteps(io, report.parsed.summary);
    }
    return printReport(io, report, json);
  }),
  async detect(params, { json }, io) {
    if (params.cycle === 0) throw usage('--cycle 0 is not a cycle: the first one is 1');
    const detected = await callDaemonOrOneshot(io, 'autodev.detect', params);
    if (json) printJson(io, detected);
    else {
      printFacts(io, [
        ['flow', `${detected.flow} (${detected.flowRule})`],
        ['step', `${detected.step} ${detected.name}`],
        ['rule', detected.rule],
        ['you decide', detected.gate],
        ['allowed steps', stepsAllowed(detected)],
        ['cycle', detected.cycle],
      ]);
    }
    return 0;
  },
  reconcile: answers('autodev.reconcile', (io, report, json) => {
    if (!json) {
      const { source, reason, pointer, summary, needsUser, written } = report.parsed;
      const found = reason === null ? source : `${source} (pointer: ${reason})`;
      printFacts(io, [['source', found], ...pointerFacts(pointer)]);
      printSteps(io, summary);
      if (needsUser)
        io.out('The step failed three times. Decide, then run devflow autodev record started --decided.\n');
      if (written) io.out('The pointer is written.\n');
      else if (reason !== null) io.out('This is a dry run. Give --apply to write the pointer.\n');
    }
    return printReport(io, report, json);
  }),
  async record(params, { json }, io) {
    // Wrong use is found before anything is read.
    toRecordEvent(params);
    const recorded = await callDaemonOrOneshot(io, 'autodev.record', params);
    if (json) printJson(io, recorded);
    else {
      const { pointer, left, boundary } = recorded;
      if (left) printFacts(io, [['left', `${left.step} ${left.name} (${left.status})`]]);
      printFacts(io, pointerFacts(pointer));
      if (boundary?.choose) io.out(`\n${visible(boundary.choose, 'text')}\n`);
      else if (boundary)
        io.out(`\n${visible(`The session ends here: ${boundary.override} before ${boundary.next}.`)}\n`);
    }
    return 0;
  },
  async flows(params, { json }, io) {
    const shown = await callDaemonOrOneshot(io, 'autodev.flows', params);
    if (json) {
      printJson(io, shown);
      return 0;
    }
    const flowsByName = 'steps' in shown ? { [params.flow as string]: shown } : shown;
    for (const [each, data] of Object.entries(flowsByName)) {
      printHeading(io, each);
      printFlow(io, data);
    }
    return 0;
  },
};

/** The number after the last step means that the flow may be done. */
function stepsAllowed({ flow, allows }: RpcResult<'autodev.detect'>): string {
  const last = FLOWS[flow].steps.length;
  return [...new Set(allows)].map((step) => (step > last ? 'done' : `${step}`)).join(' to ');
}
