import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { DeliveryPoint } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import type { PromptEnvelope } from '../../../../../schemas/envelope.ts';
import type { ScriptedSession } from '../../../../helpers/scriptedSession.ts';

/** Sends a prompt in a process of its own, which is killed by SIGKILL at that point if the delivery comes by it. */
export async function sendInChild(
  session: ScriptedSession,
  envelope: PromptEnvelope,
  point: DeliveryPoint,
): Promise<'killed' | 'sent' | 'failed'> {
  const { server, input, env } = session;
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'sendChild.ts')], {
    env: { ...process.env, NODE_NO_WARNINGS: '1', TMUX_TMPDIR: session.tmux.home },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ server, input, env, envelope, point }));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed');
      else resolve(code === 0 ? 'sent' : 'failed');
    });
  });
}
