import type { PaneId } from './command/ids.ts';
import type { TmuxDriver, Unsubscribe } from './driver.ts';

/** Properties of a pane that change without a notification. */
export interface PaneFlags {
  readonly dead: boolean;
  readonly piped: boolean;
  readonly inMode: boolean;
}

/** Covers all sessions; `%*` would cover only the attached one. */
const FORMAT = '#{S:#{W:#{P:#{pane_id}=#{pane_dead}#{pane_pipe}#{pane_in_mode} }}}';

/**
 * Reports all panes with their flags, now and after each change, within a second: a backstop for `watchPane`. A missing
 * pane is gone. Nothing comes while the connection is down.
 */
export async function watchPaneFlags(
  driver: TmuxDriver,
  changed: (panes: ReadonlyMap<PaneId, PaneFlags>) => void,
): Promise<Unsubscribe> {
  const stopListening = driver.onNotification((notification) => {
    if (notification.type === 'subscription' && notification.name === 'pane-flags') changed(parse(notification.value));
  });
  const unsubscribe = await driver.subscribe('pane-flags', FORMAT);
  return () => {
    stopListening();
    unsubscribe();
  };
}

function parse(value: string): Map<PaneId, PaneFlags> {
  const panes = new Map<PaneId, PaneFlags>();
  for (const [, pane, dead, piped, inMode] of value.matchAll(/(%\d+)=(\d)(\d)(\d*)/g)) {
    panes.set(pane as PaneId, { dead: dead === '1', piped: piped === '1', inMode: inMode !== '' && inMode !== '0' });
  }
  return panes;
}
