import { resolve } from 'node:path';
import type { Plan } from '../../schemas/contracts/report/plan.ts';
import { requireSidecarRule } from '../../schemas/contracts/stateDirectory/sidecars.ts';
import { readPairs, requireWorkflowType } from '../../schemas/contracts/stateDirectory/updateWorkflow.ts';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { usage, wholeNumber } from '../input/parse.ts';
import type { Action, Io } from '../io/io.ts';
import { printFacts, printHeading, printJson, printList, printTable } from '../print/output.ts';
import { printPlan } from '../print/plan.ts';
import { printReport } from '../print/report.ts';
import { printAudit, printWorkflow } from '../print/state.ts';
import { visible } from '../print/text.ts';

interface Options {
  repo?: string;
  json?: boolean;
  soft?: boolean;
  apply?: boolean;
  staleDays?: string;
  adHocStaleDays?: string;
  archiveRuns?: string;
  limit?: string;
  type?: string;
  task?: string;
  lane?: string;
}

/** `devflow state …`. Wrong use is found before anything is read. */
export const action: Action = async ([given]: [string | string[] | undefined], options: Options, io, name) => {
  const repo = resolve(io.cwd, options.repo ?? '.');
  const { json, apply } = options;
  const staleDays = numberOf('--stale-days', options.staleDays);
  const adHocStaleDays = numberOf('--ad-hoc-stale-days', options.adHocStaleDays);
  const archiveRuns = numberOf('--archive-runs', options.archiveRuns);
  switch (name) {
    case 'audit': {
      const mode = options.soft ? ('soft' as const) : undefined;
      const report = await callDaemonOrOneshot(io, 'state.audit', { repo, staleDays, mode });
      if (!json) printAudit(io, report);
      return printReport(io, report, json);
    }
    case 'validate':
      return printReport(io, await callDaemonOrOneshot(io, 'state.validate', { repo }), json);
    case 'cleanup': {
      const params = { repo, apply, staleDays, adHocStaleDays, archiveRuns };
      return printPlan(io, await callDaemonOrOneshot(io, 'state.cleanup', params), json);
    }
    case 'reset':
      return printPlan(io, await callDaemonOrOneshot(io, 'state.reset', { repo, apply, archiveRuns }), json);
    case 'evict':
      return printPlan(io, await callDaemonOrOneshot(io, 'state.evict', { repo, apply, archiveRuns }), json);
    case 'init':
      return init(io, repo, options);
    case 'sidecar': {
      requireSidecarRule(given as string);
      return printReport(io, await callDaemonOrOneshot(io, 'state.sidecar', { repo, name: given as string }), json);
    }
    case 'references': {
      const report = await callDaemonOrOneshot(io, 'state.references', { repo, files: given as string[] });
      return printReport(io, report, json);
    }
    case 'history':
      return history(io, repo, options);
    case 'classify':
      return classify(io, repo, (given ?? []) as string[], options);
    case 'update': {
      readPairs(given as string[]);
      printWorkflow(io, await callDaemonOrOneshot(io, 'state.update', { repo, pairs: given as string[] }), json);
      return 0;
    }
    default:
      printWorkflow(io, await callDaemonOrOneshot(io, 'state.read', { repo, key: given as string | undefined }), json);
      return 0;
  }
};

async function init(io: Io, repo: string, { type = '', task, apply, json }: Options): Promise<number> {
  requireWorkflowType(type);
  const done = await callDaemonOrOneshot(io, 'state.init', { repo, type, task, apply });
  if (json) printJson(io, done);
  else {
    printHeading(io, 'Evict');
    printPlan(io, done.evict as Plan);
    printHeading(io, 'Clean up');
    printPlan(io, done.cleanup as Plan);
    printHeading(io, 'workflow.yaml');
    printWorkflow(io, done.workflow ?? {});
    if (!apply) io.out('This is a dry run. Give --apply to begin the workflow.\n');
  }
  return [...done.evict.actions, ...done.cleanup.actions].some(({ status }) => status === 'error') ? 1 : 0;
}

async function history(io: Io, repo: string, { json, limit }: Options): Promise<number> {
  const rows = await callDaemonOrOneshot(io, 'state.history', { repo, limit: numberOf('--limit', limit) });
  const columns = [
    { title: 'ARCHIVE', cell: ({ name }: (typeof rows)[number]) => name, whole: true as const },
    { title: 'KIND', cell: ({ kind }: (typeof rows)[number]) => kind },
    { title: 'TYPE', cell: ({ workflowType }: (typeof rows)[number]) => workflowType },
    { title: 'FILES', cell: ({ files }: (typeof rows)[number]) => files, align: 'right' as const },
    { title: 'TASK', cell: ({ task }: (typeof rows)[number]) => task },
  ];
  printList(io, { json, rows, columns, whenEmpty: 'nothing is archived' });
  return 0;
}

async function classify(io: Io, repo: string, names: string[], { json, lane }: Options): Promise<number> {
  if ((names.length === 0) === (lane === undefined)) throw usage('give names, or --lane with its text');
  const result = await callDaemonOrOneshot(io, 'state.classify', { repo, names, lane });
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
}

function numberOf(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(option, text);
}
