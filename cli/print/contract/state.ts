import type { Audit } from '../../../schemas/contracts/stateDirectory/audit.ts';
import { STATE_CONTRACT } from '../../../schemas/contracts/stateDirectory/contract.ts';
import type { Io } from '../../io/io.ts';
import { printFacts, printJson, printTable } from '../output.ts';
import { visible } from '../text.ts';

/** Prints what the state directory contains. */
export function printAudit(io: Io, { contract, parsed }: { contract: string; parsed: Audit }): void {
  const { stateDir, newerNames, counts, totalBytes, buckets } = parsed;
  if (stateDir === null) return;
  const rows = Object.entries(buckets).flatMap(([bucket, entries]) => entries.map((entry) => ({ bucket, ...entry })));
  const columns = [
    { title: 'BUCKET', cell: ({ bucket }: (typeof rows)[number]) => bucket },
    {
      title: 'NAME',
      cell: ({ name, isDir }: (typeof rows)[number]) => (isDir ? `${name}/` : name),
      whole: true as const,
    },
    { title: 'BYTES', cell: ({ size }: (typeof rows)[number]) => size, align: 'right' as const },
    { title: 'CHANGED', cell: ({ mtime }: (typeof rows)[number]) => mtime },
    { title: 'STALE', cell: ({ stale }: (typeof rows)[number]) => (stale ? 'yes' : '') },
  ];
  printTable(io, rows, columns, 'the directory is empty');
  printFacts(io, [...Object.entries(counts), ['bytes', totalBytes]]);
  if (newerNames.length === 0) return;
  const names = newerNames.slice(0, 3).join(', ');
  io.out(visible(`The directory is newer than ${STATE_CONTRACT.id} (${names}): ${contract} judges it.`));
  io.out('\n');
}

/** Prints the values of workflow.yaml, or one of them. Returns the exit code. */
export function printWorkflow(io: Io, value: unknown, json?: boolean): 0 {
  if (json) printJson(io, value);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    printFacts(
      io,
      Object.entries(value).map(([key, each]) => [key, textOf(each)]),
    );
  } else printFacts(io, [['value', textOf(value)]]);
  return 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
