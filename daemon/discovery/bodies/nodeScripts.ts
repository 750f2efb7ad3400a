import { orElse } from '../../../schemas/orElse.ts';
import { linesOf, lineWhere } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf, stepInto, upwards } from '../candidate/paths.ts';
import { recordOf } from '../candidate/reader.ts';
import type { Body, CommandOrigin, Walk } from './walk.ts';

/** The scripts that a call of a package manager runs. */
interface Call {
  scripts: string[];
  /** In every package of the repository, not only in the nearest one. */
  isEverywhere: boolean;
  cwd: string;
}

const DIRECTORY = new Set(['--prefix', '-C', '--cwd', '--dir']);
const WORKSPACE = new Set(['-w', '--workspace', '--filter', '-F']);
const WORKSPACES = new Set(['-ws', '--workspaces', '-r', '--recursive']);
const RUN = new Set(['run', 'run-script', 'rum', 'urn']);
const INSTALL = /^(?:ci|i|in|ins|install|add|clean-install|rebuild|link|update|dedupe)$/;
const INSTALLED = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
const MOST_PACKAGES = 200;
const MOST_SCRIPTS = 500;
/** Settings by which a repository chooses a program that runs with every script. */
const CHOOSES = /^\s*(script-shell|node-options|prefix|globalconfig|userconfig|shell|git|node-gyp)\s*=/;
/** Code that a package manager loads. */
const LOADED = ['.pnpmfile.cjs', '.yarnrc', '.yarnrc.yml', 'bunfig.toml', 'pnpm-workspace.yaml'];
const LOADS = /^\s*["']?(?:yarn-path|yarnPath|plugins|preload|scriptShell|nodeOptions)\b/m;

/** The texts of package.json that `npm`, `pnpm`, `yarn` or `bun` runs, and each one's directory. */
export function nodeScripts(
  walk: Walk,
  manager: string,
  args: readonly string[],
  { cwd }: CommandOrigin,
): [Body, string][] {
  const call = readCall(walk, manager, args, cwd);
  const found: [Body, string][] = [];
  for (const path of packagesOf(walk, call)) {
    for (const name of call.scripts) found.push(...scriptsOf(walk, path, name));
    for (const directory of upwards(directoryOf(path))) {
      walk.once(`settings in ${directory}`, () => readSettings(walk, directory));
    }
  }
  return found;
}

/** The scripts that tools such as `run-s` call by name. `*` stands for any letters. */
export function namedScripts(walk: Walk, args: readonly string[], { cwd }: CommandOrigin): [Body, string][] {
  const [path] = packagesOf(walk, { isEverywhere: false, cwd });
  if (path === undefined) return [];
  const names = [...scriptsIn(walk, path).keys()];
  const wanted = args.filter((arg) => !arg.startsWith('-'));
  const isWanted = (name: string) =>
    wanted.some((each) => (each.includes('*') ? name.startsWith(each.slice(0, each.indexOf('*'))) : each === name));
  return names.filter(isWanted).flatMap((name) => scriptsOf(walk, path, name));
}

function readCall(walk: Walk, manager: string, args: readonly string[], from: string): Call {
  const operands: string[] = [];
  let cwd = from;
  let isEverywhere = false;
  for (let at = 0; at < args.length; at += 1) {
    const [option = '', value] = (args[at] ?? '').split('=', 2);
    if (option === '--') break;
    if (DIRECTORY.has(option)) {
      const to = value ?? args[++at] ?? '';
      const next = stepInto(cwd, to);
      if (next === undefined) walk.skip(`${manager} in ${to}`);
      else cwd = next;
    } else if (WORKSPACE.has(option)) {
      isEverywhere = true;
      if (value === undefined) at += 1;
    } else if (WORKSPACES.has(option)) isEverywhere = true;
    else if (!option.startsWith('-')) operands.push(args[at] ?? '');
  }
  const [verb, ...rest] = operands;
  if (verb === 'workspace') return { scripts: called(walk, manager, rest.slice(1)), isEverywhere: true, cwd };
  if (verb === 'workspaces') {
    const words = rest.filter((word) => word !== 'foreach');
    return { scripts: called(walk, manager, words), isEverywhere: true, cwd };
  }
  return { scripts: called(walk, manager, operands), isEverywhere, cwd };
}

/** The scripts that the operands of a package manager call. */
function called(walk: Walk, manager: string, [verb, script = '']: readonly string[]): string[] {
  if (verb === undefined) return manager === 'yarn' ? INSTALLED : [];
  if (RUN.has(verb)) return [script];
  if (INSTALL.test(verb)) {
    walk.skip(`scripts of the packages that ${manager} installs`);
    return INSTALLED;
  }
  if (/^(?:install-test|it|cit|install-ci-test)$/.test(verb)) return [...INSTALLED, 'test'];
  if (verb === 't' || verb === 'tst') return ['test'];
  if (verb === 'restart') return ['stop', 'start', 'restart'];
  if (manager === 'bun' && verb === 'test') walk.skip('bun test');
  return manager !== 'npm' || ['test', 'start', 'stop'].includes(verb) ? [verb] : [];
}

function packagesOf(walk: Walk, { isEverywhere, cwd }: Pick<Call, 'isEverywhere' | 'cwd'>): string[] {
  const { paths } = walk.commit;
  if (isEverywhere) {
    return walk.once('packages', () => {
      const all = [...paths].filter((path) => nameOf(path) === 'package.json');
      if (all.length > MOST_PACKAGES) walk.skip(`${all.length - MOST_PACKAGES} more packages`);
      return all.slice(0, MOST_PACKAGES);
    });
  }
  const nearest = upwards(cwd).map((each) => inDirectory(each, 'package.json'));
  return nearest.filter((path) => paths.has(path)).slice(0, 1);
}

function scriptsOf(walk: Walk, path: string, name: string): [Body, string][] {
  const scripts = scriptsIn(walk, path);
  return [`pre${name}`, name, `post${name}`].flatMap((each): [Body, string][] => {
    const body = scripts.get(each);
    return body === undefined ? [] : [[body, directoryOf(path)]];
  });
}

/** The scripts of a package.json by name. One text may name them often. */
function scriptsIn(walk: Walk, path: string): ReadonlyMap<string, Body> {
  const text = walk.text(path) ?? '';
  return walk.once(`scripts of ${path}`, () => {
    const all = readScripts(path, text);
    if (all.length > MOST_SCRIPTS) walk.skip(`${all.length - MOST_SCRIPTS} more scripts of ${path}`);
    return new Map(all.slice(0, MOST_SCRIPTS));
  });
}

function readScripts(path: string, text: string): [string, Body][] {
  const lines = linesOf(text);
  const begin = lineWhere(lines, (line) => line.includes('"scripts"'));
  const lineOf = new Map<string, number>();
  for (const [at, line] of lines.slice(begin - 1).entries()) {
    for (const [, key = ''] of line.matchAll(/("(?:[^"\\]|\\.)*")\s*:/g)) {
      if (!lineOf.has(key)) lineOf.set(key, begin + at);
    }
  }
  return Object.entries(manifestScripts(text)).flatMap(([name, script]): [string, Body][] => {
    const line = lineOf.get(JSON.stringify(name)) ?? begin;
    return typeof script === 'string' ? [[name, { path, line, text: script }]] : [];
  });
}

function manifestScripts(text: string): Record<string, unknown> {
  return orElse(() => recordOf(recordOf(JSON.parse(text.replace(/^\uFEFF/, ''))).scripts), {});
}

function readSettings(walk: Walk, directory: string): void {
  const npmrc = inDirectory(directory, '.npmrc');
  for (const [at, line] of linesOf(walk.text(npmrc) ?? '').entries()) {
    const setting = CHOOSES.exec(line)?.[1];
    if (setting !== undefined) walk.refuse(`${npmrc}:${at + 1} sets ${setting}, so the repository chooses a program`);
  }
  for (const name of LOADED) {
    const path = inDirectory(directory, name);
    const text = walk.text(path);
    if (text !== undefined && (name.endsWith('.cjs') || LOADS.test(text))) walk.skip(path);
  }
}
