import { resolve } from 'node:path';
import { FLOW_NAMES, type FlowName, isFlowName } from '../../schemas/contracts/autodev/flowNames.ts';
import { FLOWS } from '../../schemas/contracts/autodev/flows.ts';
import { toRecordEvent } from '../../schemas/contracts/autodev/recordEvent.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { usage, wholeNumber } from '../input/parse.ts';
import type { Action, Io } from '../io/io.ts';
import { pointerFacts, printFlow, printSteps } from '../print/autodev.ts';
import { printFacts, printHeading, printJson } from '../print/output.ts';
import { printReport } from '../print/report.ts';
import { visible } from '../print/text.ts';

interface Options {
  repo?: string;
  json?: boolean;
  flow?: FlowName;
  cycle?: string;
  apply?: boolean;
  decided?: boolean;
  phase?: string;
  name?: string;
  detail?: string;
}

/** `devflow autodev show|detect|reconcile|record|flows`. */
export const action: Action = async ([word]: [string | undefined], options: Options, io, name) => {
  const repo = resolve(io.cwd, options.repo ?? '.');
  switch (name) {
    case 'show':
      return show(io, repo, options);
    case 'detect':
      return detect(io, repo, options);
    case 'reconcile':
      return reconcile(io, repo, options);
    case 'record':
      return record(io, repo, word as string, options);
    default:
      return flows(io, repo, word, options);
  }
};

async function show(io: Io, repo: string, { json }: Options): Promise<number> {
  const report = await callDaemonOrOneshot(io, 'autodev.show', { repo });
  if (!json && report.parsed) {
    printFacts(io, pointerFacts(report.parsed.pointer));
    printSteps(io, report.parsed.summary);
  }
  return printReport(io, report, json);
}

async function detect(io: Io, repo: string, { json, flow, cycle: given }: Options): Promise<number> {
  const cycle = given === undefined ? undefined : wholeNumber('--cycle', given);
  if (cycle === 0) throw usage('--cycle 0 is not a cycle: the first one is 1');
  const detected = await callDaemonOrOneshot(io, 'autodev.detect', { repo, flow, cycle });
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
}

/** One past the last step means that the flow may be done. */
function stepsAllowed({ flow, allows }: RpcResult<'autodev.detect'>): string {
  const last = FLOWS[flow].steps.length;
  return [...new Set(allows)].map((step) => (step > last ? 'done' : `${step}`)).join(' to ');
}

async function reconcile(io: Io, repo: string, { json, apply }: Options): Promise<number> {
  const report = await callDaemonOrOneshot(io, 'autodev.reconcile', { repo, apply });
  if (!json) {
    const { source, reason, pointer, summary, needsUser, written } = report.parsed;
    printFacts(io, [['source', reason === null ? source : `${source} (pointer: ${reason})`], ...pointerFacts(pointer)]);
    printSteps(io, summary);
    if (needsUser) io.out('The step failed three times. Decide, then run devflow autodev record started --decided.\n');
    if (written) io.out('The pointer is written.\n');
    else if (reason !== null) io.out('This is a dry run. Give --apply to write the pointer.\n');
  }
  return printReport(io, report, json);
}

async function record(io: Io, repo: string, event: string, options: Options): Promise<number> {
  const { json, decided, name, detail } = options;
  const phase = options.phase === undefined ? undefined : wholeNumber('--phase', options.phase);
  const given = { event, decided, phase, name, detail };
  // Wrong use is found before anything is read.
  toRecordEvent(given);
  const recorded = await callDaemonOrOneshot(io, 'autodev.record', { repo, ...given });
  if (json) printJson(io, recorded);
  else {
    const { pointer, left, boundary } = recorded;
    if (left) printFacts(io, [['left', `${left.step} ${left.name} (${left.status})`]]);
    printFacts(io, pointerFacts(pointer));
    if (boundary?.choose) io.out(`\n${visible(boundary.choose, 'text')}\n`);
    else if (boundary) io.out(`\n${visible(`The session ends here: ${boundary.override} before ${boundary.next}.`)}\n`);
  }
  return 0;
}

async function flows(io: Io, repo: string, flow: string | undefined, { json }: Options): Promise<number> {
  if (flow !== undefined && !isFlowName(flow)) throw usage(`${flow} is no flow; it is one of ${FLOW_NAMES.join(', ')}`);
  const shown = await callDaemonOrOneshot(io, 'autodev.flows', { repo, flow });
  if (json) {
    printJson(io, shown);
    return 0;
  }
  const flowsByName = 'steps' in shown ? { [flow as string]: shown } : shown;
  for (const [each, data] of Object.entries(flowsByName)) {
    printHeading(io, each);
    printFlow(io, data);
  }
  return 0;
}
