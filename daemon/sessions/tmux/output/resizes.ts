import { closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openToAppend, readRegular } from '../../../../schemas/files/openRegular.ts';
import { escapeFormat, shellQuote } from '../../../../tmux/command/command.ts';
import type { PaneId } from '../../../../tmux/command/ids.ts';
import type { Runner } from '../../../../tmux/command/runner.ts';
import { hookSize } from '../../../../tmux/panes/panes.ts';
import { listOutputFiles, outputEnd } from './outputFiles.ts';

/** The pane's size from this byte of the output on. */
export interface Resize {
  offset: number;
  columns: number;
  rows: number;
}

export const RESIZES_FILE = 'resizes';
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Records a pane's size at the current end of its output, unless it is the last recorded size. Call it when a pane
 * starts.
 */
export function recordResize(directory: string, { columns, rows }: Omit<Resize, 'offset'>): void {
  const last = readResizes(directory).at(-1);
  if (last?.columns === columns && last.rows === rows) return;
  const fd = openToAppend(join(directory, RESIZES_FILE));
  try {
    writeSync(fd, `${outputEnd(directory)} ${columns} ${rows}\n`);
  } finally {
    closeSync(fd);
  }
}

/**
 * Has tmux record each new size of the pane at once, before the program redraws, and also without a daemon. It costs
 * one `sh` and one `wc` for each resize.
 */
export async function followSize(runner: Runner, pane: PaneId, directory: string): Promise<void> {
  const where = escapeFormat(shellQuote(directory));
  // The newest file and its length; only `listOutputFiles` knows the offsets of files.
  const last = 'for f in *.[0-9][0-9][0-9][0-9][0-9][0-9]; do :; done; test -f "$f" || exit';
  const note = `echo "$f+$(($(wc -c <"$f"))) #{pane_width} #{pane_height}" >>${RESIZES_FILE}`;
  await hookSize(runner, pane, `cd ${where} && { ${last}; ${note}; }`);
}

const NOTED = /^(?:(?<offset>\d+)|(?<file>\S+)\+(?<position>\d+)) (?<columns>\d+) (?<rows>\d+)\n/gm;

/** In recorded order, without those that changed nothing. A line cut short by a kill is left out. */
export function readResizes(directory: string): Resize[] {
  const read = readRegular(join(directory, RESIZES_FILE), MOST_BYTES);
  const text = read.ok ? read.bytes.toString('latin1') : '';
  const resizes: Resize[] = [];
  const startOf = fileStarts(directory);
  for (const { groups = {} } of text.matchAll(NOTED)) {
    const { offset, file = '', position } = groups;
    const [columns, rows, last] = [Number(groups.columns), Number(groups.rows), resizes.at(-1)];
    if (last?.columns === columns && last.rows === rows) continue;
    resizes.push({ offset: offset === undefined ? startOf(file) + Number(position) : Number(offset), columns, rows });
  }
  return resizes;
}

/** Reads the files at the first call. A file that is gone lies before all output that is still read. */
function fileStarts(directory: string): (name: string) => number {
  let starts: Map<string, number> | undefined;
  return (name) => {
    starts ??= new Map(listOutputFiles(directory).map((file) => [file.name, file.start]));
    return starts.get(name) ?? Number.NEGATIVE_INFINITY;
  };
}
