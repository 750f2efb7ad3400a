import { isGathering, kindOfName } from '../candidate/kindOfName.ts';
import { linesOf } from '../candidate/lines.ts';
import { directoryOf, nameOf } from '../candidate/paths.ts';
import type { Candidate, Reader } from '../candidate/reader.ts';
import { isHollow } from '../candidate/scriptCommands.ts';

const MOST_TARGETS = 500;
const TARGET = /^([A-Za-z][\w.-]{0,60}(?:[ \t]+[A-Za-z][\w.-]{0,60})*)[ \t]*::?(?![=:])/;

/** The targets of a Makefile whose names say that they check something. */
export const make: Reader = {
  reads: (path) => ['Makefile', 'makefile', 'GNUmakefile'].includes(nameOf(path)),
  read: ({ path, text, kindOf }) => {
    const lines = linesOf(text);
    const candidates = new Map<string, Candidate>();
    for (const [at, line] of lines.entries()) {
      for (const target of TARGET.exec(line)?.[1]?.split(/[ \t]+/) ?? []) {
        const cwd = directoryOf(path);
        const kind = kindOfName(target) ?? (isGathering(target) ? kindOf(['make', target], cwd) : undefined);
        if (kind === undefined || candidates.size >= MOST_TARGETS || candidates.has(target)) continue;
        const isPrinting = isHollow(recipeBelow(lines, at));
        candidates.set(target, {
          kind,
          argv: ['make', target],
          cwd,
          path,
          line: at + 1,
          source: 'manifest',
          ...(isPrinting && { hollow: true }),
        });
      }
    }
    return { candidates: [...candidates.values()] };
  },
};

/** The commands of a target. `@` and `-` at their beginning are for make. */
function recipeBelow(lines: readonly string[], at: number): string {
  const inline = /:[^;#]*;(.*)$/.exec(lines[at] ?? '')?.[1];
  const recipe: string[] = inline === undefined ? [] : [inline];
  for (let next = at + 1; next < at + 50 && lines[next]?.startsWith('\t'); next++)
    recipe.push(lines[next]?.trim() ?? '');
  return recipe.map((line) => line.replace(/^[@+-]+/, '')).join('\n');
}
