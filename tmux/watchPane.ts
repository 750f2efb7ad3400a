import { constants, openSync, readFileSync, watch } from 'node:fs';
import { Socket } from 'node:net';
import { ALIVE_FILE, HOOK_FILE, STATUS_FILE } from './wrapper.ts';

/** One sign that a pane's program has ended. Several may come, in any order; what they mean is the caller's to say. */
export type DeathSign =
  /** The wrapper wrote how the program ended: 128 + N for signal N. */
  | { readonly by: 'wrapper'; readonly status: number }
  /** tmux saw the wrapper end. */
  | { readonly by: 'hook'; readonly status?: number; readonly signal?: string }
  /** The wrapper is gone, with or without a word; tmux may not have noticed (`remindOfChildren`). */
  | { readonly by: 'wrapper-gone' };

export interface PaneWatch {
  close(): void;
}

/**
 * Tells of each sign once, also of those that are there already: so it serves after a restart of the caller too.
 * Nothing is polled. `directory` is that of `PaneStart` and exists. `sign` is first called after this has returned.
 */
export function watchPane(directory: string, sign: (sign: DeathSign) => void): PaneWatch {
  const seen = new Set<string>();
  let closed = false;
  let alive: Socket | undefined;

  const look = (): void => {
    if (closed) return;
    if (alive === undefined && !seen.has('alive'))
      alive = listen(
        directory,
        once('alive', () => sign({ by: 'wrapper-gone' })),
      );
    const status = contents(directory, STATUS_FILE);
    if (status !== undefined) once('status', () => sign({ by: 'wrapper', status: Number(status) }))();
    const hook = contents(directory, HOOK_FILE);
    if (hook !== undefined) once('hook', () => sign(hookSign(hook)))();
  };
  const once = (key: string, tell: () => void) => (): void => {
    if (closed || seen.has(key)) return;
    seen.add(key);
    tell();
  };

  const watcher = watch(directory, look);
  // The directory was removed: nothing more can be told from it.
  watcher.on('error', () => {});
  setImmediate(look);
  return {
    close: () => {
      closed = true;
      watcher.close();
      alive?.destroy();
    },
  };
}

/**
 * A Debian 3.3a loses the news of an ended child in up to a third of cases and then takes a dead pane for a living one,
 * until any other child ends. This signal has it look; it mended 19 of 19. False when there is no such process.
 */
export function remindOfChildren(serverPid: number): boolean {
  try {
    return process.kill(serverPid, 'SIGCHLD');
  } catch {
    return false;
  }
}

/** Undefined until the wrapper has made its FIFO. */
function listen(directory: string, gone: () => void): Socket | undefined {
  try {
    const fd = openSync(`${directory}/${ALIVE_FILE}`, constants.O_RDONLY | constants.O_NONBLOCK);
    const socket = new Socket({ fd, readable: true, writable: false });
    socket.on('error', gone).on('close', gone).resume();
    return socket;
  } catch {
    return undefined;
  }
}

function contents(directory: string, name: string): string | undefined {
  try {
    return readFileSync(`${directory}/${name}`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}

function hookSign(text: string): DeathSign {
  const [status, signal] = text.split(' ');
  return { by: 'hook', status: status ? Number(status) : undefined, signal: signal || undefined };
}
