export interface ControlSignal {
  continue: boolean;
  action: 'continue' | 'pause' | 'stop' | 'unknown';
}

/** An agent's next move, by the status of its cycle. An unknown status is no permission to continue. */
export function controlSignal({ status }: { readonly status?: unknown }): ControlSignal {
  switch (status) {
    case 'running':
      return { continue: true, action: 'continue' };
    case 'paused':
      return { continue: false, action: 'pause' };
    case 'failed':
      return { continue: false, action: 'stop' };
    default:
      return { continue: false, action: 'unknown' };
  }
}
