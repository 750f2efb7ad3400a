import type { Plan } from '../../../schemas/contracts/report/plan.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Io } from '../../io/io.ts';
import { paint, printJson, printTable } from '../output.ts';
import { visible } from '../text.ts';
import { printFindings } from './report.ts';

/** Prints what a command would do to files, or has done. Returns the exit code: 1 if a file could not be moved. */
export function printPlan(io: Io, plan: Plan, json?: boolean): number {
  const { actions, applied, archivePath, kept = [], pruned, warnings = [] } = plan;
  const failed = actions.filter(({ status }) => status === 'error').length;
  if (json) printJson(io, plan);
  else {
    printFindings(io, warnings);
    printTable(
      io,
      actions,
      [
        { title: 'ACTION', cell: ({ action }) => action },
        { title: 'FILE', cell: ({ path }) => path, whole: true },
        { title: 'WHY', cell: ({ reason }) => reason },
        { title: 'STATUS', cell: ({ status }) => status },
      ],
      'nothing to do',
    );
    if (kept.length > 0) io.out(`kept: ${visible(kept.join(', '))}\n`);
    if (pruned.length > 0) io.out(`removed archives: ${visible(pruned.join(', '))}\n`);
    if (archivePath !== null) io.out(`archived in ${visible(archivePath)}\n`);
    if (!applied && actions.length > 0) io.out(`${paint(io, 'yellow', hintOf(actions.length))}\n`);
    if (failed > 0) io.out(`${paint(io, 'red', `${counted(failed, 'action')} failed.`)} ${FAILED_HINT}\n`);
  }
  return failed > 0 ? 1 : 0;
}

const FAILED_HINT = 'Check the permissions of the files and of their directory, then run the command again.';

function hintOf(count: number): string {
  return `This is a dry run. Give --apply to carry out ${counted(count, 'action')}.`;
}
