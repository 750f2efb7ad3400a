import { closeSync, readSync, watch } from 'node:fs';
import { Socket } from 'node:net';
import { openPipe, readSign } from './signFile.ts';
import { ALIVE_FILE, HOOK_FILE, STATUS_FILE } from './wrapper.ts';

/** One sign that a pane's program has ended. Several may come, in any order; the caller interprets them. */
export type DeathSign =
  /** The wrapper wrote the exit status: 128 + N for signal N. */
  | { readonly by: 'wrapper'; readonly status: number }
  /** tmux saw the wrapper end. */
  | { readonly by: 'hook'; readonly status?: number; readonly signal?: string }
  /** The wrapper is gone, with or without a status; tmux may not have noticed. */
  | { readonly by: 'wrapper-gone' };

export interface PaneWatch {
  close(): void;
}

/** Milliseconds after the wrapper's end. tmux may miss the first reminder. */
const REMIND_AFTER_MS = [0, 50, 200, 1000];

/**
 * Reports each sign once, also existing signs, so it works after a restart too. Nothing is polled. `directory` is that
 * of `PaneStart` and exists. `serverPid` is tmux's; it gets reminders about its children until it has run its hook.
 * `sign` is first called after this has returned. A pane that was killed before its wrapper began leaves no sign: only
 * `watchPaneFlags` or `listPanes` reveal it.
 */
export function watchPane(directory: string, serverPid: number, sign: (sign: DeathSign) => void): PaneWatch {
  const seen = new Set<DeathSign['by']>();
  const timers: NodeJS.Timeout[] = [];
  let closed = false;
  let alive: Socket | undefined;

  const report = (found: DeathSign): void => {
    if (closed || seen.has(found.by)) return;
    seen.add(found.by);
    sign(found);
  };
  const gone = (): void => {
    report({ by: 'wrapper-gone' });
    look();
    if (closed) return;
    for (const ms of REMIND_AFTER_MS) timers.push(setTimeout(() => seen.has('hook') || sendSigchld(serverPid), ms));
  };
  const look = (): void => {
    if (closed) return;
    const status = readSign(`${directory}/${STATUS_FILE}`);
    if (status !== undefined) report({ by: 'wrapper', status: Number(status) });
    const hook = readSign(`${directory}/${HOOK_FILE}`);
    if (hook !== undefined) report(hookSign(hook));
    if (alive === undefined && !seen.has('wrapper-gone')) alive = listen(directory, gone);
  };

  // `fs.watch`: one directory of devflow's own, which the hook and the wrapper write to.
  const watcher = watch(directory, look);
  // The directory was removed: no more signs can come.
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
 * Debian's 3.3a loses SIGCHLD while libutempter runs, at the start and end of every pane. It then takes a dead pane for
 * a living one until another child ends. This signal makes it look; it worked in 19 of 19 cases. False if there is no
 * such process.
 */
export function sendSigchld(serverPid: number): boolean {
  try {
    return process.kill(serverPid, 'SIGCHLD');
  } catch {
    return false;
  }
}

/** Undefined until the wrapper has created its FIFO. Calls `gone` at once if the wrapper is gone already. */
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

/** Checked once by hand: poll reports an end only after it saw a beginning. */
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
