import { linesOf } from '../candidate/lines.ts';
import { nameOf, stepInto } from '../candidate/paths.ts';
import { NODE_MANAGERS, SHELLS } from '../candidate/wrappers.ts';
import type { FindBehind } from '../cannotFail/cannotFail.ts';
import { makeScript } from './makeRecipes.ts';
import { nodeScripts } from './nodeScripts.ts';
import { type Body, type CommitTexts, createWalk } from './walk.ts';

const SHEBANG = /^#!\s*\S*\/(?:env\s+(?:-S\s+)?)?(?:ba|da|z|k|a)?sh\b(.*)$/;

/** The scripts behind the commands of a commit, as far as devflow reads all of them. */
export function behindIn(commit: CommitTexts): FindBehind {
  return (argv, cwd) => {
    const [program = '', ...args] = argv;
    const name = nameOf(program);
    if (NODE_MANAGERS.has(name)) return ofScript(commit, name, args, cwd);
    if (name === 'make' || name === 'gmake') return makeScript(createWalk(commit), args, { cwd, from: '', depth: 0 });
    const isShell = SHELLS.has(name) && !program.includes('/');
    const file = isShell ? args.find((arg) => !/^[-+]/.test(arg)) : program.includes('/') ? program : undefined;
    return file === undefined ? undefined : ofFile(commit, file, cwd, isShell);
  };
}

/** A script of package.json, with those before and after it. */
function ofScript(commit: CommitTexts, manager: string, args: readonly string[], cwd: string) {
  const [verb = '', script = ''] = args.filter((arg) => !arg.startsWith('-'));
  const isRun = /^(?:run|run-script)$/.test(verb);
  const isOwn = /^(?:test|t|tst)$/.test(verb) ? manager !== 'bun' : manager === 'yarn' || manager === 'pnpm';
  if (!isRun && !isOwn) return undefined;
  const wanted = isRun ? script : /^t(?:st)?$/.test(verb) ? 'test' : verb;
  if (/^(?:install|add|ci|i|)$/.test(wanted)) return undefined;
  const bodies = nodeScripts(createWalk(commit), manager, args, { cwd, from: '', depth: 0 });
  const [first] = bodies;
  const text = bodies.map(([body]) => body.text).join('; ');
  return first && { script: oneAfterAnother(bodies), text, from: placeOf(first[0]), cwd: first[1] };
}

function oneAfterAnother(bodies: readonly [Body, string][]): string {
  return ['set -e', ...bodies.map(([{ text }]) => `(\n${text}\n)`)].join('\n');
}

function ofFile(commit: CommitTexts, file: string, cwd: string, isShell: boolean) {
  const path = stepInto(cwd, file);
  const text = path === undefined || !commit.paths.has(path) ? undefined : commit.read(path);
  if (path === undefined || text === undefined || text === null) return undefined;
  const shebang = SHEBANG.exec(linesOf(text.slice(0, 200))[0] ?? '');
  if (!isShell && !shebang) return undefined;
  // A shell that is called by name ignores the first line.
  const options = isShell ? '' : (shebang?.[1] ?? '').trim();
  return { script: options === '' ? text : `set ${options}\n${text}`, text, from: `${path}:1`, cwd };
}

function placeOf({ path, line }: Body): string {
  return `${path}:${line}`;
}
