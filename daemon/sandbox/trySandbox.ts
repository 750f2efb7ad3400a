import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defined } from '../../schemas/defined.ts';
import { homeOf } from '../../schemas/files/home.ts';
import { orElse } from '../../schemas/orElse.ts';
import { COMMAND_VARIABLE } from '../../schemas/process/agentMark.ts';
import type { Sandbox, SandboxWish } from '../../schemas/sandbox.ts';
import { findProcesses, variablesOf } from '../system/findProcesses.ts';
import { ABSTRACT_SOCKETS, findTools, INSTALL, OPEN_ON_MACOS, unavailable } from './findTools.ts';
import { prepareSandbox, type SandboxTools } from './prepareSandbox.ts';

type Env = Readonly<Record<string, string | undefined>>;

const PATIENCE_MS = 10_000;

/**
 * Starts an empty sandbox as an agent would get it, and looks at it as devflow looks at agents. Returns what a run records.
 * Throws sandbox_unavailable with the reason and what to do.
 */
export async function trySandbox(wish: SandboxWish, env: Env): Promise<Sandbox> {
  const tools = findTools(env.PATH ?? '', {});
  const whole = await attempt(wish, env, tools);
  if (tools.kind === 'seatbelt') {
    if (whole !== undefined) throw unavailable(`sandbox-exec failed (${whole})`, 'Start without a sandbox.');
    return { ...recorded(wish, env, 'sandbox-exec, untried'), open: OPEN_ON_MACOS };
  }
  const by = await versionOf(tools.bubblewrap);
  if (whole === undefined) return recorded(wish, env, by);
  if (wish.network === 'off' || !whole.includes(ABSTRACT_SOCKETS)) throw refused(whole);
  const rest = await attempt(wish, env, { ...tools, closesAbstractSockets: false });
  if (rest !== undefined) throw refused(rest);
  return { ...recorded(wish, env, by), open: [ABSTRACT_SOCKETS] };
}

/** The paths of the wish as this machine has them. */
function recorded({ level, network, read, write }: SandboxWish, env: Env, by: string): Sandbox {
  const absolute = (paths?: string[]) => paths?.map((path) => path.replace(/^~(?=\/)/, homeOf(env)));
  return { level, by, ...defined({ network, read: absolute(read), write: absolute(write) }) };
}

async function versionOf(bubblewrap: string): Promise<string> {
  const said = await promisify(execFile)(bubblewrap, ['--version'], { timeout: PATIENCE_MS }).catch(() => undefined);
  return (said?.stdout.trim().split('\n')[0] || 'bubblewrap').slice(0, 100);
}

/** Undefined if all holds; else what went wrong, in the words of the programs. */
async function attempt(wish: SandboxWish, env: Env, tools: SandboxTools): Promise<string | undefined> {
  const scratch = mkdtempSync(join(tmpdir(), 'devflow-sandbox-'));
  const cwd = join(scratch, 'work');
  const mark = randomUUID();
  try {
    mkdirSync(cwd, { mode: 0o700 });
    const input = { directory: join(scratch, 'sandbox'), cwd, env, inside: env, network: wish.network !== 'off' };
    const places = [{ path: cwd, how: 'write' as const }];
    const words = prepareSandbox({ ...input, programs: [], needs: {}, places, hidden: [] }, tools);
    const [program = '', ...args] = [...words, '/bin/sh', '-c', 'echo ready; read line'];
    const variables = { ...env, [COMMAND_VARIABLE]: mark };
    const child = spawn(program, args, { cwd, env: variables, stdio: ['pipe', 'pipe', 'pipe'] });
    return await watch(child, mark);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function watch(child: ChildProcess, mark: string): Promise<string | undefined> {
  let said = '';
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  child.stderr?.on('data', (text) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()).on('error', () => resolve()));
  const isReady = new Promise<boolean>((resolve) => {
    child.stdout?.on('data', () => resolve(true));
    void ended.then(() => resolve(false));
  });
  try {
    if (!(await isReady)) return said.trim().split('\n').at(-1)?.slice(0, 500) || 'it said nothing';
    // Inside, the program has the lowest pids. devflow must see its environment to know it.
    if (process.platform !== 'linux') return undefined;
    const seen = await findProcesses(({ pid }) => variablesOf(pid, COMMAND_VARIABLE).includes(mark));
    return seen.length >= 3 ? undefined : 'devflow cannot see the processes inside';
  } finally {
    child.stdin?.destroy();
    await ended;
    clearTimeout(timer);
  }
}

function refused(said: string) {
  return unavailable(`bubblewrap failed (${said})`, remedyOf(said));
}

const APPARMOR = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

function remedyOf(said: string): string {
  if (/abstract sockets|Can't exec|No such file/.test(said)) return INSTALL;
  if (orElse(() => readFileSync(APPARMOR, 'utf8').trim()) === '1') {
    return 'AppArmor keeps programs of users from making namespaces: give bwrap a profile with the line userns (Ubuntu: install apparmor-profiles and enable bwrap-userns-restrict), or start without a sandbox.';
  }
  if (/namespace|uid map|Operation not permitted|Permission denied/i.test(said)) {
    return 'The system keeps users from making namespaces: set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0 with sysctl, or start without a sandbox. In a container it may be impossible.';
  }
  return 'Run bwrap by hand to see why, or start without a sandbox.';
}
