import type { TmuxDriver, Unsubscribe } from './driver.ts';
import type { PaneId } from './ids.ts';

/** What can change about a pane without a notification of its own. */
export interface PaneFlags {
  readonly dead: boolean;
  readonly piped: boolean;
  readonly inMode: boolean;
}

/** Over all sessions; `%*` would cover the attached one alone. */
const FORMAT = '#{S:#{W:#{P:#{pane_id}=#{pane_dead}#{pane_pipe}#{pane_in_mode} }}}';

/**
 * All panes with their flags, now and whenever one changes; within a second, so this is a backstop to `watchPane`.
 * A pane that is missing is gone. Nothing comes while the connection is down.
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
