import type { Plan } from '../../schemas/contracts/report/plan.ts';
import { requireSidecarRule } from '../../schemas/contracts/stateDirectory/sidecars.ts';
import { readPairs, requireWorkflowType } from '../../schemas/contracts/stateDirectory/updateWorkflow.ts';
import { answers, callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { State } from '../define/state.ts';
import { usage } from '../input/parse.ts';
import { printPlan } from '../print/contract/plan.ts';
import { printReport } from '../print/contract/report.ts';
import { printAudit, printWorkflow } from '../print/contract/state.ts';
import { printFacts, printHeading, printJson, printList, printTable } from '../print/output.ts';
import { visible } from '../print/text.ts';

/** `devflow state …`. Wrong use is found before anything is read. */
export const actions: State = {
  audit: answers('state.audit', (io, report, json) => {
    if (!json) printAudit(io, report);
    return printReport(io, report, json);
  }),
  validate: answers('state.validate', printReport),
  cleanup: answers('state.cleanup', printPlan),
  reset: answers('state.reset', printPlan),
  evict: answers('state.evict', printPlan),
  async init(params, { json }, io) {
    requireWorkflowType(params.type);
    const done = await callDaemonOrOneshot(io, 'state.init', params);
    if (json) printJson(io, done);
    else {
      printHeading(io, 'Evict');
      printPlan(io, done.evict as Plan);
      printHeading(io, 'Clean up');
      printPlan(io, done.cleanup as Plan);
      printHeading(io, 'workflow.yaml');
      printWorkflow(io, done.workflow ?? {});
      if (!params.apply) io.out('This is a dry run. Give --apply to begin the workflow.\n');
    }
    return [...done.evict.actions, ...done.cleanup.actions].some(({ status }) => status === 'error') ? 1 : 0;
  },
  read: answers('state.read', printWorkflow),
  async update(params, { json }, io) {
    readPairs(params.pairs);
    return printWorkflow(io, await callDaemonOrOneshot(io, 'state.update', params), json);
  },
  async sidecar(params, { json }, io) {
    requireSidecarRule(params.name);
    return printReport(io, await callDaemonOrOneshot(io, 'state.sidecar', params), json);
  },
  history: answers('state.history', (io, rows, json) => {
    const columns = [
      { title: 'ARCHIVE', cell: ({ name }: (typeof rows)[number]) => name, whole: true as const },
      { title: 'KIND', cell: ({ kind }: (typeof rows)[number]) => kind },
      { title: 'TYPE', cell: ({ workflowType }: (typeof rows)[number]) => workflowType },
      { title: 'FILES', cell: ({ files }: (typeof rows)[number]) => files, align: 'right' as const },
      { title: 'TASK', cell: ({ task }: (typeof rows)[number]) => task },
    ];
    printList(io, { json, rows, columns, whenEmpty: 'nothing is archived' });
    return 0;
  }),
  references: answers('state.references', printReport),
  async classify(params, { json }, io) {
    if ((params.names.length === 0) === (params.lane === undefined)) throw usage('give names, or --lane with its text');
    const result = await callDaemonOrOneshot(io, 'state.classify', params);
    if (json) printJson(io, result);
    else if (Array.isArray(result)) {
      const columns = [
        { title: 'NAME', cell: ({ name }: (typeof result)[number]) => visible(name), whole: true as const },
        { title: 'BUCKET', cell: ({ bucket }: (typeof result)[number]) => bucket },
        { title: 'SURVIVES RESET', cell: ({ resetExempt }: (typeof result)[number]) => (resetExempt ? 'yes' : 'no') },
      ];
      printTable(io, result, columns, 'no names');
    } else printFacts(io, Object.entries(result));
    return Array.isArray(result) && result.some(({ bucket }) => bucket === 'ad_hoc') ? 1 : 0;
  },
};
