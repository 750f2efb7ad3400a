import type { CommentView } from '../../schemas/comments/commentView.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { type Answer, type Asked, type DriveOptions, drive } from '../helpers/drive.ts';

export type Comments = NonNullable<RpcParams<'approval.decide'>['comments']>;

/** Asks for changes with these comments at the first gate of this key, and approves everything else. */
export function requestingOnce(gateKey: string, comments: Comments, comment?: string): DriveOptions['decide'] {
  let isDone = false;
  return (asked: Asked): Answer | undefined => {
    if (asked.kind === 'turn') return undefined;
    if (asked.gateKey !== gateKey || isDone) return { action: 'approve' };
    isDone = true;
    return { action: 'request_changes', comments, ...(comment === undefined ? {} : { comment }) };
  };
}

/** Goes on until this gate opens, approving others. Returns the id of the gate. */
export async function untilGateOf(daemon: TestDaemon, runId: string, gateKey: string, nth = 1): Promise<string> {
  let seen = 0;
  const isIt = ({ gateKey: key }: Pick<Asked, 'gateKey'>) => key === gateKey;
  const events = await drive(daemon, runId, {
    patienceMs: 200_000,
    decide: (asked) => (isIt(asked) ? undefined : { action: 'approve' }),
    stopAt({ type, payload }) {
      if (type === 'approval.requested' && isIt(payload as unknown as Asked)) seen += 1;
      return seen === nth;
    },
  });
  const asked = events.at(-1)?.payload as Asked | undefined;
  return asked?.approvalRequestId ?? '';
}

export async function commentsOf(daemon: TestDaemon, runId: string): Promise<CommentView[]> {
  return (await daemon.ask('run.findings', { runId })).comments ?? [];
}
