import { stripVTControlCharacters } from 'node:util';
import { visible } from '../../schemas/text/visible.ts';
import { endOf } from './outputTail.ts';

/** Programs say at the end of their output what failed. */
const MOST_BYTES = 1024 * 1024;
const MOST_SIGNS = 100;
const MOST_LETTERS = 120;

const FAILED = /\b(?:fail(?:ed|s|ure|ures)?|errors?|not ok|panic(?:ked)?)\b|[✗✕×]/i;

/**
 * The lines of a failed command's output that name the failure, in a form that two runs share. Numbers and the
 * directory that it ran in are left out. `clean` runs on the raw text. Undefined if there are too many to compare.
 */
export function failureSigns(
  files: { stdoutPath: string; stderrPath: string },
  cwd: string,
  clean: (text: string) => string = (text) => text,
): string[] | undefined {
  const signs = new Set<string>();
  for (const path of [files.stdoutPath, files.stderrPath]) {
    for (const text of clean(endOf(path, MOST_BYTES)).split('\n')) {
      const line = stripVTControlCharacters(text).replaceAll('\r', '').trim();
      if (FAILED.test(line)) signs.add(signOf(line, cwd));
    }
  }
  return signs.size > MOST_SIGNS ? undefined : [...signs].sort();
}

function signOf(line: string, cwd: string): string {
  return visible(line.replaceAll(cwd, '.').replace(/\d+/g, '#').slice(0, MOST_LETTERS));
}
