import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import { defined } from '../../../schemas/defined.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import type { GrantedRights } from '../../../schemas/repository/programRights.ts';
import { cutTo } from '../../../schemas/text/phrases.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { TmuxDriver } from '../../../tmux/driver.ts';
import { killPane } from '../../../tmux/panes/panes.ts';
import { splitSink } from '../../../tmux/panes/pipe.ts';
import { startTimeOf } from '../../../tmux/process/processes.ts';
import { startPane } from '../../../tmux/process/startPane.ts';
import type { AgentSandboxInput } from '../../sandbox/agentSandbox.ts';
import type { StartInput } from '../contract/adapter.ts';
import { findRunnable } from '../instructions/findRunnable.ts';
import { repositoryInstructions } from '../instructions/readInstructions.ts';
import type { AgentOptions } from './agentOptions.ts';
import type { Ledger } from './deliver/ledger.ts';
import { HOOK_SCRIPT, HOOK_SCRIPT_TEXT, hookCommand } from './observe/hookScript.ts';
import { newEpoch } from './output/outputFiles.ts';
import { recordResize } from './output/resizes.ts';
import type { Launches } from './process/launches.ts';
import { endProcesses } from './process/processGroup.ts';
import type { Profile } from './profile/profile.ts';
import { environmentOutside, variablesToUnset } from './server/agentEnv.ts';
import { SIZE } from './server/ownKeys.ts';
import { type AgentPane, DIRECTORY_MARK, LAUNCH_MARK, listAgentPanes, SESSION_MARK } from './server/panes.ts';
import { toServerError } from './server/serverError.ts';
import { placeFor } from './server/sessionName.ts';

/** A window's name stands beside others. */
const TITLE_IN_WINDOW = 24;

export interface LaunchPorts {
  driver: TmuxDriver;
  profile: Profile;
  binaryPath: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The daemon's own. */
  parentEnv: AgentOptions['parentEnv'];
  input: StartInput;
  launches: Launches;
  ledger: Ledger;
  prepareSandbox?: AgentOptions['prepareSandbox'];
  /** Called once the last program has ended, and before anything of the next one is recorded. */
  onEnded?(): void;
}

/** Holds the output of all programs of a session. */
export const outputDirOf = (sessionDir: string) => join(sessionDir, 'output');
/**
 * Where one program's pane leaves its exit files. Each launch has its own directory, since tmux may report a death
 * late.
 */
export const paneDirOf = (sessionDir: string, launch: number) => join(sessionDir, 'panes', String(launch));

/** Starts the program in a new pane. First ends what remains of the last program. */
export async function launchAgent(ports: LaunchPorts, wanted: 'new' | 'resume'): Promise<AgentPane> {
  const { driver, profile, input, launches, ledger, env } = ports;
  const { sessionDir, sessionId, cwd } = input;
  refuseMissing(input);
  const { launched } = launches.now();
  const survivors = await endProcesses(sessionDir, launched);
  if (survivors.length > 0) {
    // Two programs in one worktree would overwrite each other's work.
    const { runId } = input;
    const message = `The last program of ${agentName(input)} does not end (pid ${survivors.join(', ')}), so devflow started no new one.`;
    throw new DevflowError('pane_briefly_unresponsive', message, { runId });
  }
  // Processes of the last program can no longer change the frozen files.
  const rights = await input.rights?.();
  ports.onEnded?.();
  const facts = launches.now();
  const how = wanted === 'resume' && canResume(facts, ledger) ? 'resume' : 'new';
  const minted = profile.conversationId === 'minted' ? randomUUID() : undefined;
  const conversationId = how === 'resume' ? facts.conversationId : minted;

  const started = profile.launch({
    sessionId,
    conversationId,
    sessionDir,
    env,
    resume: how === 'resume',
    binaryPath: ports.binaryPath,
    args: ports.args,
    modelConfig: input.modelConfig ?? {},
    permissionMode: input.permissionMode ?? 'execute',
    ...(await fromWorktree(input, profile)),
    ...defined({ rights }),
    hookCommand: (event) => hookCommand(sessionDir, event),
  });
  const files = { [HOOK_SCRIPT]: HOOK_SCRIPT_TEXT, ...started.files };
  mkdirSync(join(sessionDir, 'hooks'), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    const written = writeInside(sessionDir, name, text);
    if (!written.ok)
      throw new DevflowError('path_unsafe', `${join(sessionDir, name)} cannot be written: ${written.fault}.`);
  }

  const launch = launches.next();
  const directory = outputDirOf(sessionDir);
  const inside = { ...env, ...started.env };
  const outside = environmentOutside(inside, input.env ?? {}, ports.parentEnv);
  const words = [...wrapOf(input, outside), ...(await sandboxOf(ports, { env: outside, inside }, rights))];
  const all = input.sandbox === undefined ? inside : outside;
  const { name, ...where } = await placeFor(driver, input);
  const old = await listAgentPanes(driver, sessionId);
  launches.note({ type: 'launching', life: launch, how, conversationId });
  const sink = splitSink(directory, newEpoch(directory));
  recordResize(directory, SIZE);
  const pane = await startPane(driver, {
    ...where,
    windowName: windowNameOf(input),
    cwd,
    sink,
    size: SIZE,
    // On devflow's own server, hooks set the size (tmux/server/fitWindows.ts).
    followsClients: driver.server.owner === 'theirs',
    directory: paneDirOf(sessionDir, launch),
    program: {
      argv: [...words, ...started.argv] as [string, ...string[]],
      env: all,
      unsetEnv: await variablesToUnset(driver, all),
    },
    marks: { [SESSION_MARK]: sessionId, [LAUNCH_MARK]: String(launch), [DIRECTORY_MARK]: sessionDir },
  }).catch((error) => {
    throw toServerError(driver.server, error);
  });
  launches.note({ type: 'launched', life: launch, pid: pane.pid, startTime: startTimeOf(pane.pid) });
  for (const each of old) rmSync(paneDirOf(sessionDir, each.launch - 1), { recursive: true, force: true });
  for (const each of old) await killPane(driver, each.pane).catch(() => {});
  return { ...pane, launch, dead: false, sessionName: name };
}

/** tmux draws a window's name: no title may begin a style. */
function windowNameOf({ roleId, backend, title }: StartInput): string {
  const name = `${roleId}-${backend}`;
  return title === undefined ? name : `${name} ${cutTo(visible(title).replace(/#+(?=\[)/g, ''), TITLE_IN_WINDOW)}`;
}

/** The words that start the next program in its sandbox. The last one has ended, so nothing changes its directories. */
async function sandboxOf(
  ports: LaunchPorts,
  environments: Pick<AgentSandboxInput, 'env' | 'inside'>,
  rights: GrantedRights | undefined,
): Promise<string[]> {
  const { input, profile, binaryPath, prepareSandbox } = ports;
  if (input.sandbox === undefined) return [];
  if (!prepareSandbox) {
    throw new DevflowError('sandbox_unavailable', `The agent of ${agentName(input)} was to start in a sandbox.`);
  }
  const { cwd, sessionDir, permissionMode = 'execute' } = input;
  const needs = profile.places(environments.env);
  const read = [...(needs.read ?? []), ...(rights ? [rights.directory] : [])];
  return prepareSandbox({
    ...input.sandbox,
    cwd,
    sessionDir,
    permissionMode,
    ...environments,
    binaryPath,
    needs: { ...needs, read },
  });
}

/** Its program is looked up here: in the search path of the agent, an agent could have left another one. */
function wrapOf({ wrap = [], cwd, sessionDir }: StartInput, { PATH = '' }: Record<string, string>): string[] {
  const [name, ...rest] = wrap.map((word) =>
    word.replaceAll('{{worktree}}', cwd).replaceAll('{{session}}', sessionDir),
  );
  if (name === undefined) return [];
  const program = name.startsWith('/') ? name : findOnPath(name, PATH);
  if (program === undefined)
    throw new DevflowError('sandbox_unavailable', `wrap names a program that is not on PATH: ${name}.`);
  return [program, ...rest];
}

function refuseMissing(input: StartInput): void {
  if (statSync(input.cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  const message = `The worktree of ${agentName(input)} does not exist: ${input.cwd}.`;
  throw new DevflowError('file_system_failed', message, { runId: input.runId });
}

/**
 * The worktree's instructions for the agent, and the parts of it that the program must not run. Read anew for each
 * program.
 */
async function fromWorktree({ cwd, prelude }: StartInput, { runnable }: Profile) {
  const paths = findRunnable(cwd, runnable ?? []);
  const texts = [prelude, await repositoryInstructions(cwd)].filter(Boolean);
  return {
    ...(texts.length === 0 ? {} : { prelude: texts.join('\n\n') }),
    ...(paths.length === 0 ? {} : { wouldRun: { worktree: realpathSync.native(cwd), paths } }),
  };
}

/** A conversation without a prompt may not exist for its program. Then a new conversation loses nothing. */
function canResume(facts: ReturnType<Launches['now']>, ledger: Ledger): boolean {
  if (facts.conversationId === undefined) return false;
  return facts.transcriptPath === undefined ? ledger.hasTakenSince(facts.begunBy) : existsSync(facts.transcriptPath);
}
