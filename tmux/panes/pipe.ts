import { type Command, escapeFormat, throwIfSkipped, unlessDead } from '../command/command.ts';
import type { Runner } from '../command/runner.ts';
import { shellQuote } from '../command/shellQuote.ts';
import type { PaneId } from '../ids.ts';

/**
 * A shell command that keeps what a pane prints in files `<directory>/<epoch>.000000`, `.000001` …, each of `bytes` at
 * most (default 8 MiB), each read written at once. A new `epoch` for every arming: split begins at 000000 and would
 * write over what is there. Offsets in the files, in order, are offsets in the output.
 */
export function splitSink(directory: string, epoch: string, bytes = 8 * 1024 * 1024): string {
  return `exec split -b ${bytes} -a 6 -d - ${shellQuote(`${directory}/${epoch}.`)}`;
}

/**
 * Sends what the pane prints from now on to a new sink; one that it had gets its end of file. Bytes printed between the
 * two are lost, so this is for a sink that died (`piped` is false), never for rotating. Throws `pane_dead`, `no_target`.
 */
export async function repipe(runner: Runner, pane: PaneId, sink: string): Promise<void> {
  throwIfSkipped(pane, await runner.run([unlessDead(pane, [pipeCommand(pane, sink)])]));
}

/** Never `-I`: into a pane that is just dying it kills the server, to 3.5a. Never `-o`: on a piped pane it switches off. */
export function pipeCommand(target: string, sink: string): Command {
  return ['pipe-pane', '-O', '-t', target, escapeFormat(sink, { strftime: true })];
}
