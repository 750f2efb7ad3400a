import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BroughtSchema } from '../../schemas/definitions/brought.ts';
import { FIXTURES } from '../../schemas/definitions/schemaIds.ts';
import type { Env } from '../../schemas/files/paths.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { blocksRun, holdsResult } from '../../schemas/gates/gateKinds.ts';
import { personsFiles } from '../../schemas/repository/personsFile.ts';
import type { Played } from '../../schemas/rpc/views/rehearsal.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { runState } from '../../schemas/states/run.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { type Client, connect } from '../client/connect.ts';
import { startDaemon } from '../daemon/startDaemon.ts';
import { guardScratch } from '../demo/guardScratch.ts';
import { createScratch, type Scratch } from '../demo/scratch.ts';
import { stopEverything } from '../demo/stopEverything.ts';
import type { Io } from '../io/io.ts';
import { watchRun } from '../run/watchRun.ts';

/** A template that nobody published yet. */
export interface Rehearsed {
  name: string;
  version: number;
  roles: readonly string[];
  yaml: string;
  /** The repository and the commit that the run begins at. */
  repo: string;
  commit: string;
  /** Artifact schemas that come with it, and what fake agents write for them. */
  shipped: readonly BroughtSchema[];
  /** The goal of a template that is judged by measurements. */
  objective?: unknown;
  /** The text of a settings file for the repository. */
  settings?: string | undefined;
}

/** Gates of devflow at which a loop stops by design. */
const DESIGNED: ReadonlySet<string> = new Set(['iterations_exhausted', 'objective_not_met']);

const REQUIREMENTS = 'A rehearsal: every step is taken by a fake agent.';

/**
 * Plays a run of the template with fake agents. It has a copy of the repository, a daemon and a database of its own.
 */
export async function playTemplate(io: Io, rehearsed: Rehearsed, signal: AbortSignal): Promise<Played | undefined> {
  const { repo: from, commit } = rehearsed;
  const place = { prefix: 'devflow-rehearsal-', name: 'repository', delayMs: 0 };
  const scratch = createScratch(io.env, place, (to, env) => cloneRepository(from, commit, to, env));
  const letGo = guardScratch(scratch);
  let socket: string | undefined;
  try {
    writeDefinitions(rehearsed, scratch.env);
    writeSettings(rehearsed, scratch);
    socket = (await startDaemon(scratch.env)).socket;
    return signal.aborted ? undefined : await play(socket, scratch.repo, rehearsed, signal);
  } finally {
    await stopEverything(scratch, socket);
    scratch.remove();
    letGo();
  }
}

function writeDefinitions({ name, version, yaml, shipped }: Rehearsed, env: Io['env']): void {
  const { userTemplates, userArtifacts } = resolvePaths(env);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  write(join(userTemplates, `${name}@${version}.yaml`), yaml);
  for (const { schema, definition, ok } of shipped) {
    write(join(userArtifacts, `${schema}.json`), JSON.stringify(definition));
    if (ok !== undefined) write(join(userArtifacts, FIXTURES, schema, 'ok.json'), JSON.stringify(ok));
  }
}

/** The person's file for this repository alone needs no consent. */
function writeSettings({ settings }: Rehearsed, { repo, env }: Scratch): void {
  if (settings === undefined) return;
  const { exact } = personsFiles(resolvePaths(env).configDir, realpathSync.native(join(repo, '.git')));
  mkdirSync(dirname(exact), { recursive: true, mode: 0o700 });
  writeFileSync(exact, settings, { mode: 0o600 });
}

async function play(
  socket: string,
  repo: string,
  { name, version, roles, objective, settings }: Rehearsed,
  signal: AbortSignal,
): Promise<Played | undefined> {
  const client = await connect(socket);
  try {
    const { runId } = (await client.call('run.start', {
      repo,
      base: BRANCH,
      template: `${name}@${version}`,
      requirements: REQUIREMENTS,
      objective,
      backend: Object.fromEntries(roles.map((role) => [role, 'fake' as const])),
      // Else a play runs only what its template says.
      settings: settings !== undefined,
    })) as { runId: string };
    const gates: string[] = [];
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const onChange = async (run: RunDetail) => {
      if (!(await decideGates(client, run, gates))) stop.abort();
    };
    await watchRun({ connect: () => connect(socket), runId, onChange, signal: both });
    if (signal.aborted) return undefined;
    return playedOf(await client.call('run.get', { runId }), gates);
  } finally {
    client.close();
  }
}

/** Approves the gates of the template. False at a gate of devflow's own: there something went wrong. */
async function decideGates(client: Client, run: RunDetail, gates: string[]): Promise<boolean> {
  const waiting = run.approvals.filter((approval) => approval.state === 'pending' && blocksRun(approval));
  if (waiting.some((gate) => !holdsResult(gate) && !DESIGNED.has(gate.gateKey))) return false;
  for (const { id, gateKey } of waiting) {
    gates.push(gateKey);
    await client.call('approval.decide', { approvalId: id, action: 'approve', clientToken: randomUUID() });
  }
  return true;
}

function playedOf(run: RunDetail, gates: readonly string[]): Played {
  const stuck = run.approvals.find((approval) => approval.state === 'pending' && blocksRun(approval));
  const own = run.commands.filter(({ kind }) => kind !== 'setup');
  const commands = own.map(({ argv, exitCode }) => ({ argv, exitCode }));
  const where = stuck ? ` at the gate ${stuck.gateKey} of phase ${run.currentPhase}` : '';
  const sentence = `The run is ${runState(run).word}${where}, after ${counted(gates.length, 'decision')}.`;
  return { ok: run.state === 'completed', state: run.state, gates: [...gates], commands, sentence };
}

/** The branch of the copy. */
export const BRANCH = 'rehearsal';

/** A copy of a commit with nothing of the repository's configuration: no hook and no filter runs. It borrows the objects. */
export function cloneRepository(from: string, commit: string, to: string, env: Env): void {
  const own = { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'init.templateDir=', ...args], {
      cwd,
      env: own,
      stdio: 'pipe',
    });
  git('/', 'clone', '--quiet', '--shared', '--no-checkout', '--no-tags', '--template=', '--', from, to);
  git(to, 'checkout', '--quiet', '-B', BRANCH, commit, '--');
  git(to, 'remote', 'remove', 'origin');
}
