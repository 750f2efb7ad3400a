import { HANDOVER_KINDS } from '../../schemas/contracts/handover/document/contract.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { answers, callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Handover } from '../define/handover.ts';
import type { Io } from '../io/io.ts';
import { printPlan } from '../print/contract/plan.ts';
import { printReport, printWarnings } from '../print/contract/report.ts';
import { printFacts, printJson, printTable, type Word } from '../print/output.ts';
import { clip, visible } from '../print/text.ts';

/** `devflow handover …`. */
export const actions: Handover = {
  validate: answers('handover.validate', printReport),
  check: answers('handover.check', (io, report, json) => {
    if (!json && report.parsed) {
      const { handovers } = report.parsed;
      printTable(
        io,
        HANDOVER_KINDS.map((kind) => ({ kind, ...handovers[kind] })),
        [
          { title: 'HANDOVER', cell: ({ kind }) => kind },
          { title: 'STATE', cell: ({ present, valid }) => wordOf(present, valid) },
          { title: 'ERRORS', cell: ({ errors }) => errors.length, align: 'right' },
          { title: 'WARNINGS', cell: ({ warnings }) => warnings.length, align: 'right' },
        ],
        'no handovers',
      );
    }
    return printReport(io, report, json);
  }),
  findings: answers('handover.findings', (io, report, json) => {
    if (!json && report.parsed) {
      const { goals, skipped } = report.parsed;
      printTable(
        io,
        [...goals.map((goal) => ({ ...goal, use: 'goal' })), ...skipped.map((one) => ({ ...one, use: 'skipped' }))],
        [
          { title: 'FINDING', cell: ({ id }) => id, whole: true },
          { title: 'SEVERITY', cell: ({ severity }) => severity },
          { title: 'USE', cell: ({ use }) => use },
          { title: 'LINE', cell: ({ line }) => line, align: 'right' },
          { title: 'TEXT', cell: ({ text }) => clip(visible(text.split('\n', 1)[0] ?? ''), MOST_COLUMNS) },
        ],
        'no findings',
      );
    }
    return printReport(io, report, json);
  }),
  async drift(params, { json }, io) {
    const { project, apply } = params;
    const report = await callDaemonOrOneshot(io, 'handover.drift', params);
    const { parsed } = report;
    if (!json && parsed) {
      printFacts(io, [
        ['recorded step', parsed.currentStep],
        ['step in git', parsed.derivedStep],
        ['session state', parsed.sessionState],
        ['progress', parsed.written ? 'written' : null],
      ]);
      if (!apply && (parsed.drift || parsed.sessionState === 'would refresh')) {
        io.out('This is a dry run. Give --apply to write.\n');
      }
    }
    printReport(io, report, json);
    if (parsed?.sessionState === 'invalid') {
      io.err(
        `The session state of ${visible(project)} is not valid, so it was not refreshed. The progress is the record.\n`,
      );
    }
    // Always exits with 0, so that a program that runs it first goes on.
    return 0;
  },
  next: answers('handover.next', (io, session, json) => {
    if (json) printJson(io, session);
    else printNext(io, session);
    return 0;
  }),
  async cleanup(params, { confirm, json }, io) {
    const apply = params.apply === true || confirm === true;
    const plan = await callDaemonOrOneshot(io, 'handover.cleanup', { ...params, apply });
    const code = printPlan(io, plan, json);
    if (!json) {
      const files = Object.entries(plan.files).map(([file, is]) => `${file} file: ${is}`);
      io.out(`${files.join(', ')}\n`);
    }
    return code;
  },
};

function wordOf(present: boolean, valid: boolean): Word {
  if (!valid) return { word: present ? 'not valid' : 'missing', look: 'bad' };
  return present ? { word: 'valid', look: 'good' } : { word: 'absent', look: 'quiet' };
}

const MOST_COLUMNS = 80;

function printNext(io: Io, { resumable, message, lines, briefPath, warnings }: RpcResult<'handover.next'>): void {
  // Only the lines: programs read them.
  if (resumable) printWarnings(io, warnings);
  if (!resumable) io.out(`${visible(message)}\n`);
  else for (const line of [...lines, briefPath]) io.out(`${visible(line)}\n`);
}
