import { closeSync, readSync, watch } from 'node:fs';
import { Socket } from 'node:net';
import { openPipe, readSign } from './signFile.ts';
import { ALIVE_FILE, HOOK_FILE, STATUS_FILE } from './wrapper.ts';

/** One sign that a pane's program has ended. Several may come, in any order; what they mean is the caller's to say. */
export type DeathSign =
  /** The wrapper wrote how the program ended: 128 + N for signal N. */
  | { readonly by: 'wrapper'; readonly status: number }
  /** tmux saw the wrapper end. */
  | { readonly by: 'hook'; readonly status?: number; readonly signal?: string }
  /** The wrapper is gone, with or without a word; tmux may not have noticed. */
  | { readonly by: 'wrapper-gone' };

export interface PaneWatch {
  close(): void;
}

/** Milliseconds after the wrapper's end. The first may come while tmux does not listen either. */
const REMINDERS_MS = [0, 50, 200, 1000];

/**
 * Tells of each sign once, also of those that are there already: so it serves after a restart of the caller too.
 * Nothing is polled. `directory` is that of `PaneStart` and exists; `serverPid` is tmux's, which is reminded of its
 * children until it has run its hook. `sign` is first called after this has returned.
 * A pane that was killed before its wrapper began leaves no sign: only `watchPaneFlags` or `listPanes` miss it.
 */
export function watchPane(directory: string, serverPid: number, sign: (sign: DeathSign) => void): PaneWatch {
  const seen = new Set<DeathSign['by']>();
  const timers: NodeJS.Timeout[] = [];
  let closed = false;
  let alive: Socket | undefined;

  const tell = (news: DeathSign): void => {
    if (closed || seen.has(news.by)) return;
    seen.add(news.by);
    sign(news);
  };
  const gone = (): void => {
    tell({ by: 'wrapper-gone' });
    look();
    if (closed) return;
    for (const ms of REMINDERS_MS) timers.push(setTimeout(() => seen.has('hook') || sendSigchld(serverPid), ms));
  };
  const look = (): void => {
    if (closed) return;
    const status = readSign(`${directory}/${STATUS_FILE}`);
    if (status !== undefined) tell({ by: 'wrapper', status: Number(status) });
    const hook = readSign(`${directory}/${HOOK_FILE}`);
    if (hook !== undefined) tell(hookSign(hook));
    if (alive === undefined && !seen.has('wrapper-gone')) alive = listen(directory, gone);
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
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/**
 * Debian's 3.3a is deaf to the end of a child while libutempter works, which it does at the start and end of every pane.
 * It then takes a dead pane for a living one until any other child ends. This signal has it look; it mended 19 of 19.
 * False when there is no such process.
 */
export function sendSigchld(serverPid: number): boolean {
  try {
    return process.kill(serverPid, 'SIGCHLD');
  } catch {
    return false;
  }
}

/** Undefined until the wrapper has made its FIFO; `gone` at once when it has gone already. */
function listen(directory: string, gone: () => void): Socket | undefined {
  const fd = openPipe(`${directory}/${ALIVE_FILE}`);
  if (fd === undefined) return undefined;
  if (!hasWriter(fd)) {
    closeSync(fd);
    gone();
    return undefined;
  }
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.on('error', gone).on('close', gone).resume();
  return socket;
}

/** Asked once by hand: poll tells of the end only where it saw a beginning. */
function hasWriter(fd: number): boolean {
  try {
    return readSync(fd, Buffer.alloc(1)) > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN';
  }
}

function hookSign(text: string): DeathSign {
  const [status, signal] = text.split(' ');
  return { by: 'hook', status: status ? Number(status) : undefined, signal: signal || undefined };
}
