import type { Io } from '../io/io.ts';
import { paint } from './output.ts';
import { visible } from './text.ts';

/** The lines of a patch in git's colours, with every character visible. */
export function patchLines(io: Pick<Io, 'color'>, patch: string): string[] {
  /** Between `diff --git` and the first `@@`, a line with `---` names a file and is no removed line. */
  let isHead = true;
  return visible(patch.replace(/\n$/, ''), 'code')
    .split('\n')
    .map((line) => {
      if (line.startsWith('diff --git ')) isHead = true;
      else if (line.startsWith('@@')) isHead = false;
      return paint(io, isHead ? 'bold' : shadeOf(line), line);
    });
}

function shadeOf(line: string) {
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  return line.startsWith('-') ? 'red' : undefined;
}
