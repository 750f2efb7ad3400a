import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { resolvePaths } from '../../schemas/files/paths.ts';
import type { CheckResult } from '../../schemas/kinds/lanes/events.ts';
import type { WorktreeSetup } from '../../schemas/repository/worktreeSetup.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { payloads } from '../e2e/support.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { type Answer, type Asked, drive, ended } from '../helpers/drive.ts';

/** Cold caches and full suites take their time. */
const PATIENCE_MS = 600_000;
const LAST_CHARACTERS = 2000;
const MOST_BYTES = 64 * 1024 * 1024;
const ROLES = ['implementer', 'reviewer', 'verifier', 'planner', 'resolver'];

/** Gates that a person approves in every run. Each other one says that something is wrong. */
const USUAL_GATES = ['spec_approved', 'plan_approved', 'changes_approved'];

export interface Played {
  runId: string;
  events: EventView[];
  /** The set-up and the tests as the run began; the set-up is absent if there is nothing to do. */
  setup: WorktreeSetup | undefined;
  verify: string[][];
  /** Each sentence says what is not green. */
  faults: string[];
}

/** The person's own file for a repository: who works there. */
export function writePersonsFile(daemon: TestDaemon, checkout: string, settings: { template?: string }): void {
  const directory = join(resolvePaths(daemon.env).configDir, 'repositories');
  mkdirSync(directory, { recursive: true });
  const backends = Object.fromEntries(ROLES.map((role) => [role, 'fake']));
  writeFileSync(join(directory, `${basename(checkout)}.yaml`), JSON.stringify({ ...settings, backends }));
}

/** `devflow run start -m <requirements>` in the checkout, to the end of the run. It is aborted at a gate that asks for help. */
export async function play(daemon: TestDaemon, checkout: string, requirements: string): Promise<Played> {
  const words = ['run', 'start', '-m', requirements, '--allow-setup', '--json'];
  const started = await daemon.cli(words, { cwd: checkout });
  if (started.code !== 0) throw new Error(`run start: ${started.stderr}${started.stdout}`);
  const { runId } = JSON.parse(started.stdout) as { runId: string };
  const faults: string[] = [];
  const decide = (asked: Asked): Answer | undefined => {
    if (asked.kind === 'turn') return undefined;
    if (USUAL_GATES.includes(asked.gateKey)) return { action: 'approve' };
    const subject = JSON.stringify(asked.subject).slice(0, LAST_CHARACTERS);
    faults.push(`gate ${asked.gateKey} in ${asked.laneId ?? 'main'}\n${subject}`);
    return { action: 'abort' };
  };
  const events = await drive(daemon, runId, { decide, patienceMs: PATIENCE_MS });
  const { state } = await ended(daemon, runId);
  if (state !== 'completed') faults.push(`the run is ${state}`);
  const [created = {}] = payloads(events, 'run.created');
  const { setup, extra } = created as { setup?: WorktreeSetup; extra: Record<string, string[][]> | null };
  faults.push(...failuresIn(events));
  return { runId, events, setup, verify: extra?.verify ?? [], faults };
}

/** Set-ups and commands that failed, with the end of their output. */
function failuresIn(events: readonly EventView[]): string[] {
  const starts = new Map(payloads(events, 'command.started').map((each) => [each.commandId, each]));
  const failed = payloads(events, 'command.failed').map(({ commandId, reason }) => {
    const { argv, kind, laneId = 'main', stdoutPath, stderrPath } = starts.get(commandId) ?? {};
    const said = [stdoutPath, stderrPath].map((path) => endOf(String(path))).join('\n');
    return `${kind} command ${(argv as string[]).join(' ')} in ${laneId}: ${reason}\n${said}`;
  });
  const checks = ['review.checked', 'merge.tested'].flatMap((type) =>
    payloads(events, type).flatMap(({ results = [] }) =>
      (results as CheckResult[])
        .filter(({ exitCode }) => exitCode !== 0)
        .map(({ argv, reason, stdoutPath }) => `check ${argv.join(' ')} (${type}): ${reason}\n${endOf(stdoutPath)}`),
    ),
  );
  const ejected = payloads(events, 'merge.ejected').map((each) => `the queue sent back ${JSON.stringify(each)}`);
  const setups = payloads(events, 'worktree.set_up')
    .filter(({ ok }) => ok !== true)
    .map(({ laneId, reason }) => `the set-up of ${laneId}: ${reason}`);
  return [...setups, ...failed, ...checks, ...ejected];
}

function endOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').slice(-LAST_CHARACTERS) : '';
}

/** Milliseconds from the placing of files to the end of the set-up; undefined if the lane had none. */
export function setupMs(events: readonly EventView[], laneId: string): number | undefined {
  const of = (type: string) => events.find((each) => each.type === type && each.payload.laneId === laneId);
  const [placed, done] = [of('worktree.placed'), of('worktree.set_up')];
  if (!placed || !done) return undefined;
  return Number(placed.payload.ms) + Date.parse(String(done.ts)) - Date.parse(String(placed.ts));
}

/** Installs in the checkout, as its developers did. */
export async function installByHand(
  checkout: string,
  setup: WorktreeSetup,
  env: Record<string, string>,
): Promise<void> {
  const places: Record<string, string> = { DEVFLOW_WORKTREE: checkout, PATH: env.PATH ?? '' };
  const own = Object.entries(setup.env).map(([name, value]) => {
    return [name, value.replaceAll(/\$(\w+)/g, (_, each: string) => places[each] ?? '')];
  });
  for (const { argv } of setup.commands) {
    const [program = '', ...args] = argv;
    await promisify(execFile)(program, args, {
      cwd: checkout,
      env: { ...env, CI: '1', ...Object.fromEntries(own) },
      maxBuffer: MOST_BYTES,
    });
  }
}
