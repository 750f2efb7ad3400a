import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import { EXAMPLES } from './examples.ts';
import { PREPARED_AT, type Prepared, type Row } from './prepared.ts';
import { PROJECTS } from './projects.ts';
import { bringRelease, rustupHome } from './releases.ts';
import { personsPath } from './shell.ts';
import { tableOf } from './table.ts';
import { bringTool, makeHome, type Tool } from './tools.ts';

const INSTALL = '--install';

/**
 * `npm run test:repositories`: public projects, whole from their registries. In each, devflow starts runs with the scripted
 * agent, and the project's own tests must pass in every worktree. A project that this machine cannot have is skipped, with the
 * reason. `--install` may install packages of Debian. Other words go to vitest: `-t flask` runs one project.
 */
async function main(args: readonly string[]): Promise<number> {
  const cache = join(
    process.env.XDG_CACHE_HOME || join(process.env.HOME || homedir(), '.cache'),
    'devflow-test-repositories',
  );
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'devflow-repositories-'));
  try {
    const rest = args.filter((arg) => arg !== INSTALL);
    const prepared = await prepare({ cache, scratch, mayInstall: args.includes(INSTALL), only: nameIn(rest) });
    if (prepared.projects.length + prepared.examples.length === 0) {
      console.log('test:repositories: skipped, no project can be had here');
      return 0;
    }
    const file = join(scratch, 'prepared.json');
    writeFileSync(file, JSON.stringify(prepared));
    const code = await vitest(['run', '--project', 'repositories', ...rest], { [PREPARED_AT]: file });
    const rows = readdirSync(prepared.rows).map(
      (name) => JSON.parse(readFileSync(join(prepared.rows, name), 'utf8')) as Row,
    );
    if (rows.length > 0) console.log(`\n${tableOf(rows)}`);
    return code;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** With `-t flask` only that project is brought; vitest takes a pattern, too. */
function nameIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === '-t' || arg === '--testNamePattern');
  return at < 0 ? undefined : args[at + 1];
}

interface Wanted {
  cache: string;
  scratch: string;
  mayInstall: boolean;
  only: string | undefined;
}

async function prepare({ cache, scratch, mayInstall, only }: Wanted): Promise<Prepared> {
  const programs = new Set<string>();
  const projects: Prepared['projects'] = [];
  const isWanted = (title: string) => only === undefined || new RegExp(only).test(title);
  for (const project of PROJECTS.filter(({ name }) => isWanted(`${name} in`))) {
    const bring = async () => {
      await bringTools(project.tools);
      return bringRelease(cache, project.release);
    };
    const release = await bring().catch((error: Error) => error);
    if (release instanceof Error) console.log(`test:repositories: ${project.name} is skipped, ${release.message}`);
    else projects.push({ project, release });
  }
  const examples: Prepared['examples'] = [];
  for (const example of EXAMPLES.filter(({ name }) => isWanted(`example: ${name}`))) {
    const fault = await bringTools(example.tools).catch((error: Error) => error);
    if (fault) console.log(`test:repositories: the example ${example.name} is skipped, ${fault.message}`);
    else examples.push(example);
  }
  const rows = join(scratch, 'rows');
  mkdirSync(rows);
  const path = [...programs, personsPath()].join(delimiter);
  return { projects, examples, home: makeHome(cache, rustupHome()), path, rows };

  async function bringTools(tools: readonly Tool[]): Promise<void> {
    for (const tool of tools) {
      const directory = await bringTool(cache, tool, mayInstall);
      if (directory !== undefined) programs.add(directory);
    }
  }
}

function vitest(args: readonly string[], env: Record<string, string>): Promise<number> {
  const program = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  // On the disk: the worktrees of compiled projects would fill the memory.
  const more = { TMPDIR: process.env.TMPDIR ?? tmpdir(), ...env };
  const child = spawn(process.execPath, [program, ...args], {
    cwd: packageRoot(),
    stdio: 'inherit',
    env: { ...process.env, ...more },
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

process.exitCode = await main(process.argv.slice(2));
