import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputEnd } from './outputFiles.ts';

/** From that byte of the output on, the pane had that size. */
export interface Resize {
  offset: number;
  columns: number;
  rows: number;
}

export const RESIZES_FILE = 'resizes';

/** Notes a pane's size where its output stands now, unless it is the size noted last. Call it when a pane is started. */
export function recordResize(directory: string, { columns, rows }: Omit<Resize, 'offset'>): void {
  const last = readResizes(directory).at(-1);
  if (last?.columns === columns && last.rows === rows) return;
  appendFileSync(join(directory, RESIZES_FILE), `${outputEnd(directory)} ${columns} ${rows}\n`, { mode: 0o600 });
}

/** In the order they were noted. A line that a kill cut short is left out. */
export function readResizes(directory: string): Resize[] {
  let text = '';
  try {
    text = readFileSync(join(directory, RESIZES_FILE), 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return [...text.matchAll(/^(\d+) (\d+) (\d+)\n/gm)].map(([, offset, columns, rows]) => ({
    ...{ offset: Number(offset), columns: Number(columns), rows: Number(rows) },
  }));
}
