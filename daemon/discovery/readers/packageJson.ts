import type { Uncovered } from '../../../schemas/repoFacts.ts';
import { isGathering, kindOfName } from '../candidate/kindOfName.ts';
import { linesOf, lineWhere } from '../candidate/lines.ts';
import { nodeManager } from '../candidate/nodeManager.ts';
import { directoryOf, nameOf } from '../candidate/paths.ts';
import {
  type Candidate,
  type Found,
  type Reader,
  type ReadFile,
  recordOf,
  shallowYaml,
  textsIn,
} from '../candidate/reader.ts';
import { isHollow } from '../candidate/scriptCommands.ts';
import { membersOf } from '../candidate/wildcards.ts';

const MOST_SCRIPTS = 200;
const SCRIPT_NAME = /^[\w@.][\w@.:/+-]{0,99}$/;

/** The scripts of a package, and the program that its lock file belongs to. */
export const packageJson: Reader = {
  reads: (path) => nameOf(path) === 'package.json',
  read: (file) => {
    const manifest = recordOf(JSON.parse(file.text));
    const lines = linesOf(file.text);
    const manager = nodeManager(file, manifest.packageManager);
    const candidates: Candidate[] = [];
    const add = (fact: Pick<Candidate, 'kind' | 'argv' | 'line' | 'hollow'>) =>
      candidates.push({
        ...fact,
        cwd: directoryOf(file.path),
        path: file.path,
        source: 'manifest',
        locked: manager.lock !== undefined,
      });
    if (manager.isOwner) {
      const line = keyLine(lines, 'packageManager') ?? keyLine(lines, 'name') ?? 1;
      add({ kind: 'package-manager', argv: [manager.name, '--version'], line });
      add({ kind: 'install', argv: manager.install, line });
    }
    const uncovered = addScripts(file, manifest.scripts, lines, manager.run, add);
    return { candidates, uncovered, workspaces: workspacesOf(file, manifest.workspaces) };
  },
};

function addScripts(
  { path, kindOf }: ReadFile,
  value: unknown,
  lines: readonly string[],
  run: (script: string) => string[],
  add: (fact: Pick<Candidate, 'kind' | 'argv' | 'line' | 'hollow'>) => void,
): Uncovered[] {
  const scripts = Object.entries(recordOf(value));
  const begin = keyLine(lines, 'scripts') ?? 1;
  const keys = new Map<string, number>();
  for (let line = lines.length; line >= begin; line--) {
    const key = /^\s*\{?\s*"([^"\\]{1,100})"\s*:/.exec(lines[line - 1] ?? '')?.[1];
    if (key !== undefined) keys.set(key, line);
  }
  const uncovered: Uncovered[] = [];
  if (scripts.length > MOST_SCRIPTS) {
    const why = `${scripts.length - MOST_SCRIPTS} of its ${scripts.length} scripts are not read`;
    uncovered.push({ path, why });
  }
  for (const [name, script] of scripts.slice(0, MOST_SCRIPTS)) {
    const kind = kindOfName(name) ?? (isGathering(name) ? kindOf(run(name), directoryOf(path)) : undefined);
    if (kind === undefined || kind === 'install' || typeof script !== 'string') continue;
    if (!SCRIPT_NAME.test(name)) {
      uncovered.push({ path, why: `the name of the script ${JSON.stringify(name.slice(0, 60))} is unusual` });
      continue;
    }
    add({ kind, argv: run(name), line: keys.get(name) ?? begin, ...(isHollow(script) && { hollow: true }) });
  }
  return uncovered;
}

function workspacesOf(file: ReadFile, value: unknown): Found['workspaces'] {
  const patterns = Array.isArray(value) ? value : recordOf(value).packages;
  return Array.isArray(patterns) ? membersOf(file, patterns) : [];
}

function keyLine(lines: readonly string[], key: string): number | undefined {
  const line = lineWhere(lines, (each) => each.includes(`"${key}"`), { otherwise: 0 });
  return line === 0 ? undefined : line;
}

export const pnpmWorkspace: Reader = {
  reads: (path) => nameOf(path) === 'pnpm-workspace.yaml',
  read: (file) => {
    const yaml = shallowYaml(file);
    const patterns = textsIn(recordOf(yaml.value).packages);
    return { candidates: [], workspaces: membersOf(file, patterns, 'package.json') };
  },
};
