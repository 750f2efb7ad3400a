import { spawn } from 'node:child_process';
import { DevflowError } from '../../schemas/errors.ts';
import { agentName } from '../../schemas/mainLane.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { displayPopup } from '../../tmux/clients/popup.ts';
import type { Server } from '../../tmux/server/server.ts';
import type { Io } from '../io/io.ts';

/** The pane that the daemon named. */
export type AttachTarget = RpcResult<'session.attachTarget'>;

export interface ShowOptions {
  readOnly: boolean;
  /** The tmux client to use, if the caller knows it, as a key binding does. */
  client?: string;
}

/** The exit code if the person closes the popup: tmux ends its program with SIGHUP. */
const POPUP_CLOSED = 129;

/** Runs a command that attaches on this terminal. Without TMUX in the environment, because tmux refuses to nest. */
export async function runHere([program = 'tmux', ...args]: string[], io: Io, target: AttachTarget): Promise<void> {
  if (!io.inIsTty || !io.outIsTty) {
    throw new DevflowError('usage', 'to show a pane, attach needs a terminal', {
      recoveryHint: 'Run it in a terminal, or use --json to print where the pane is.',
    });
  }
  const { TMUX: _outer, TMUX_PANE: _pane, ...env } = io.env;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'pipe'], env });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-1_000);
    });
    child.on('error', () => reject(notInstalled(program)));
    child.on('close', (code) => {
      if (code !== 0) return reject(notShown(target, said, code));
      // ssh itself says that it closed its connection.
      if (target.host === null) io.err(said);
      resolve();
    });
  });
}

/** Runs a command that attaches in a popup over the person's client. */
export async function runInPopup(
  theirs: Server,
  client: string,
  argv: string[],
  { target, readOnly }: { target: AttachTarget; readOnly: boolean },
): Promise<void> {
  const popup = { client, width: '95%', height: '95%', title: popupTitle(target, readOnly) } as const;
  const { status, stderr } = await displayPopup(theirs, {
    ...popup,
    argv: ['env', '-u', 'TMUX', '-u', 'TMUX_PANE', ...argv],
  });
  if (status !== 0 && status !== POPUP_CLOSED) throw notShown(target, stderr, status);
}

/** Names no agent: the key `J` shows another one inside, and tmux cannot change the title of an open popup. */
export function popupTitle({ host }: Pick<AttachTarget, 'host'>, readOnly: boolean): string {
  const where = host === null ? '' : ` on ${host}`;
  const how = readOnly ? ', read-only' : '';
  return ` devflow agents${where}${how} `;
}

function notShown(target: AttachTarget, said: string, status: number | null): DevflowError {
  const program = target.host === null ? 'its tmux client' : `ssh to host ${target.host}`;
  const why = said.trim() || `${program} exited with code ${status}; the tmux server of the agents may have ended`;
  return new DevflowError('state_conflict', `the pane of ${agentName(target)} could not be shown: ${why}`, {
    recoveryHint: `Look at it with devflow session show ${target.sessionId.slice(0, 8)}.`,
  });
}

export function noTerminal(): DevflowError {
  return new DevflowError('state_conflict', 'no terminal shows the tmux session of this command', {
    recoveryHint: 'Run it from an attached terminal.',
  });
}

export function notInstalled(program: string): DevflowError {
  const recoveryHint =
    program === 'ssh' ? 'Install the OpenSSH client.' : 'Install tmux, or name it with tmux.binaryPath in config.yaml.';
  return new DevflowError('backend_unavailable', `${program} cannot be started`, { recoveryHint });
}
