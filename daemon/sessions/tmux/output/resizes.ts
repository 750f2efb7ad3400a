import { closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openToAppend, readRegular } from '../../../../schemas/files/openRegular.ts';
import { escapeFormat } from '../../../../tmux/command/command.ts';
import type { Runner } from '../../../../tmux/command/runner.ts';
import { shellQuote } from '../../../../tmux/command/shellQuote.ts';
import type { PaneId } from '../../../../tmux/ids.ts';
import { hookSize } from '../../../../tmux/panes/hookSize.ts';
import { listOutputFiles, outputEnd } from './outputFiles.ts';

/** From that byte of the output on, the pane had that size. */
export interface Resize {
  offset: number;
  columns: number;
  rows: number;
}

export const RESIZES_FILE = 'resizes';
const MOST_BYTES = 64 * 1024 * 1024;

/** Notes a pane's size where its output stands now, unless it is the size noted last. Call it when a pane is started. */
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
 * Has tmux itself note each size that anybody gives the pane: at once, before the program has drawn itself anew, and also
 * while no daemon runs. It costs one `sh` and one `wc` a resize.
 */
export async function followSize(runner: Runner, pane: PaneId, directory: string): Promise<void> {
  const where = escapeFormat(shellQuote(directory));
  // The newest file and how long it is; the offsets of files are known to `listOutputFiles` alone.
  const last = 'for f in *.[0-9][0-9][0-9][0-9][0-9][0-9]; do :; done; test -f "$f" || exit';
  const note = `echo "$f+$(($(wc -c <"$f"))) #{pane_width} #{pane_height}" >>${RESIZES_FILE}`;
  await hookSize(runner, pane, `cd ${where} && { ${last}; ${note}; }`);
}

const NOTED = /^(?:(?<offset>\d+)|(?<file>\S+)\+(?<position>\d+)) (?<columns>\d+) (?<rows>\d+)\n/gm;

/** In the order they were noted, without those that changed nothing. A line that a kill cut short is left out. */
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

/** Looks when it is asked first. A file that is gone lies before all that is still read. */
function fileStarts(directory: string): (name: string) => number {
  let starts: Map<string, number> | undefined;
  return (name) => {
    starts ??= new Map(listOutputFiles(directory).map((file) => [file.name, file.start]));
    return starts.get(name) ?? Number.NEGATIVE_INFINITY;
  };
}
