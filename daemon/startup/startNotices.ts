import type { Config } from '../../schemas/config/config.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { Run } from '../core/run/state.ts';
import type { RunEngine } from '../engine/runEngine.ts';
import type { EventBus } from '../events/bus.ts';
import type { moduleLogs } from '../log/log.ts';
import { logRunEvents } from '../log/logRunEvents.ts';
import { notifyPerson } from '../notify/notify.ts';
import { notifyByCommand } from '../notify/notifyCommand.ts';
import { notifyServer } from '../notify/notifyServer.ts';
import { createTmuxNotices } from '../statusLine/notices.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Notices for a person and lines of the log about events, until the daemon stops. */
export function startNotices(parts: {
  config: Config;
  paths: Paths;
  bus: EventBus;
  openRuns(): Run[];
  readRun(runId: string): Promise<Run | undefined>;
  server: RunEngine['server'];
  logOf: ReturnType<typeof moduleLogs>;
  lifecycle: Lifecycle;
}): void {
  const { config, paths, bus, openRuns, readRun, server, logOf, lifecycle } = parts;
  const notices = createTmuxNotices({ config, paths, bus, openRuns, log: logOf('notify') });
  lifecycle.hold('tmux notices', notices.close);
  const ways = [notifyByCommand({ command: config.notify.command, log: logOf('notify') }), notices.tell];
  lifecycle.hold('notify', notifyPerson({ ways, bus, readRun, log: logOf('notify') }));
  lifecycle.hold('notify about the server', notifyServer({ ways, bus, server }));
  lifecycle.hold('event lines', logRunEvents({ bus, openRuns, log: logOf('events') }));
}
