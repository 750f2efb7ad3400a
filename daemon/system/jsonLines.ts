import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { isDiskFull } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { openToAppend, readRegularText } from '../../schemas/files/openRegular.ts';
import { steadyNow, steadyTimeOf } from '../../schemas/time/steadyTime.ts';

const MOST_BYTES = 256 * 1024 * 1024;

/** The time at which a line was written. */
export interface Written {
  /** By the wall clock, as the file has it. */
  at: string;
  /** By this process's steady clock, to measure with. Not in the file. */
  steadyAt: number;
}

/** An append-only file of JSON lines, synced with each line. */
export interface JsonLines<T> {
  readonly lines: readonly (T & Written)[];
  /** On disk when this returns, so that an action after it is never without its line. Throws `disk_full`. */
  append(line: T): void;
}

/** Cuts off a last line that a crash tore: nobody acted on it. Leaves out lines of unknown form. */
export function openJsonLines<T extends object>(path: string, schema: z.ZodType<T>): JsonLines<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lines: (T & Written)[] = [];
  for (const raw of readWhole(path)) {
    const parsed = schema.safeParse(raw);
    if (!parsed.success) continue;
    const at = String((raw as { at?: unknown }).at ?? '');
    lines.push({ ...parsed.data, at, steadyAt: steadyTimeOf(Date.parse(at)) });
  }
  return {
    lines,
    append(line) {
      const entry = { ...line, at: new Date().toISOString() };
      const steadyAt = steadyNow();
      appendWhole(path, `${JSON.stringify(entry)}\n`);
      lines.push({ ...entry, steadyAt });
    },
  };
}

function appendWhole(path: string, text: string): void {
  let fd: number | undefined;
  let size = 0;
  try {
    fd = openToAppend(path);
    size = fstatSync(fd).size;
    writeFileSync(fd, text);
    fdatasyncSync(fd);
  } catch (cause) {
    // A full disk may have stored part of the line, which would spoil the next one.
    if (fd !== undefined) ftruncateSync(fd, size);
    if (!isDiskFull(cause)) throw cause;
    throw new DevflowError('disk_full', `There is no space left for ${path}.`, { cause });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readWhole(path: string): unknown[] {
  const text = readRegularText(path, MOST_BYTES);
  if (text === undefined) return [];
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
