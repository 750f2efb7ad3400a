import { resolve } from 'node:path';
import { HANDOVER_KINDS, type HandoverKind } from '../../schemas/contracts/handover/contract.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { usage } from '../input/parse.ts';
import type { Action, Io } from '../io/io.ts';
import { printFacts, printJson, printTable, type Word } from '../print/output.ts';
import { printPlan } from '../print/plan.ts';
import { printReport, printWarnings } from '../print/report.ts';
import { clip, visible } from '../print/text.ts';

interface Options {
  repo?: string;
  json?: boolean;
  soft?: boolean;
  strict?: boolean;
  dir?: boolean;
  resume?: boolean;
  apply?: boolean;
  confirm?: boolean;
}

/** `devflow handover validate|check|findings|drift|next|cleanup`. */
export const action: Action = async (words: string[], options: Options, io, name) => {
  const repo = resolve(io.cwd, options.repo ?? '.');
  const [word = '', path = ''] = words;
  // An empty path would mean the repository itself.
  if (words.includes('')) throw usage('a path is empty');
  switch (name) {
    case 'validate':
      return validate(io, repo, word as HandoverKind, path, options);
    case 'check':
      return check(io, repo, word, options);
    case 'findings':
      return findings(io, repo, word, options);
    case 'drift':
      return drift(io, repo, word, options);
    case 'next':
      return next(io, repo, word, options);
    default:
      return cleanup(io, repo, word, options);
  }
};

async function validate(io: Io, repo: string, kind: HandoverKind, path: string, options: Options): Promise<number> {
  const { json, soft, dir, resume } = options;
  return printReport(
    io,
    await callDaemonOrOneshot(io, 'handover.validate', { repo, kind, path, soft, dir, resume }),
    json,
  );
}

async function check(io: Io, repo: string, project: string, { json, strict }: Options): Promise<number> {
  const report = await callDaemonOrOneshot(io, 'handover.check', { repo, project, strict });
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
}

function wordOf(present: boolean, valid: boolean): Word {
  if (!valid) return { word: present ? 'not valid' : 'missing', look: 'bad' };
  return present ? { word: 'valid', look: 'good' } : { word: 'absent', look: 'quiet' };
}

const MOST_COLUMNS = 80;

async function findings(io: Io, repo: string, review: string, { json }: Options): Promise<number> {
  const report = await callDaemonOrOneshot(io, 'handover.findings', { repo, review });
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
}

async function drift(io: Io, repo: string, project: string, { json, apply }: Options): Promise<number> {
  const report = await callDaemonOrOneshot(io, 'handover.drift', { repo, project, apply });
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
  // Whatever it found: it runs before a program goes on, and holds nobody up.
  return 0;
}

async function next(io: Io, repo: string, project: string, { json }: Options): Promise<number> {
  const session = await callDaemonOrOneshot(io, 'handover.next', { repo, project });
  if (json) printJson(io, session);
  else printNext(io, session);
  return 0;
}

function printNext(io: Io, { resumable, message, lines, briefPath, warnings }: RpcResult<'handover.next'>): void {
  // What a program reads are the lines alone.
  if (resumable) printWarnings(io, warnings);
  if (!resumable) io.out(`${visible(message)}\n`);
  else for (const line of [...lines, briefPath]) io.out(`${visible(line)}\n`);
}

async function cleanup(io: Io, repo: string, project: string, options: Options): Promise<number> {
  const apply = options.apply === true || options.confirm === true;
  const plan = await callDaemonOrOneshot(io, 'handover.cleanup', { repo, project, apply });
  const code = printPlan(io, plan, options.json);
  if (!options.json) {
    const files = Object.entries(plan.files).map(([file, is]) => `${file} file: ${is}`);
    io.out(`${files.join(', ')}\n`);
  }
  return code;
}
