import { type Command, escapeFormat, shellQuote, throwIfSkipped, unlessDead } from '../command/command.ts';
import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

/**
 * A shell command that writes a pane's output to files `<directory>/<epoch>.000000`, `.000001` …. Each has at most
 * `bytes` (default 8 MiB). Every pipe needs a new `epoch`: split begins at 000000 and would overwrite the files.
 * Offsets in the files, in order, are offsets in the output.
 */
export function splitSink(directory: string, epoch: string, bytes = 8 * 1024 * 1024): string {
  return `exec split -b ${bytes} -a 6 -d - ${shellQuote(`${directory}/${epoch}.`)}`;
}

/**
 * Sends the pane's further output to a new sink; an old sink gets its end of file. Output between the two is lost, so
 * this is for a sink that died (`piped` is false), never for rotation. Throws `pane_dead`, `no_target`.
 */
export async function repipe(runner: Runner, pane: PaneId, sink: string): Promise<void> {
  throwIfSkipped(pane, await runner.run([unlessDead(pane, [pipeCommand(pane, sink)])]));
}

/** Never `-I`: into a dying pane it kills the server, up to 3.5a. Never `-o`: on a piped pane it stops the pipe. */
export function pipeCommand(target: string, sink: string): Command {
  return ['pipe-pane', '-O', '-t', target, escapeFormat(sink, { strftime: true })];
}
