import type { RpcResult } from '../../schemas/rpc/methods/index.ts';

/** The pane that the daemon named. */
export type AttachTarget = RpcResult<'session.attachTarget'>;

export interface ShowOptions {
  readOnly: boolean;
  /** The tmux client to use, if the caller knows it, as a key binding does. */
  client?: string;
}
