export interface ControlSignal {
  continue: boolean;
  action: 'continue' | 'pause' | 'stop' | 'unknown';
}

/** What an agent does next, by the status of its cycle. A status that nobody knows is no leave to go on. */
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
