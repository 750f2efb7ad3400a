import type { Command } from 'commander';
import type { Action, Io } from '../io.ts';

/** What the definitions need of the program they are part of. */
export interface Cli {
  io: Io;
  /** Called with the exit code when an action has ended. */
  exit(code: number): void;
  /** The one command that will run, where that is known: other groups stay empty, which saves milliseconds. */
  only?: string;
}

/** A command that is there for the commands below it. */
export function group(
  program: Command,
  cli: Cli,
  name: string,
  summary: string,
  fill: (command: Command) => void,
): void {
  const command = program.command(name).description(summary);
  if (cli.only === undefined || cli.only === name) fill(command);
}

/**
 * A command with an action in `cli/commands`. `load` imports that file; the bundle keeps it apart and reads it only when
 * the command runs.
 */
export function leaf(
  parent: Command,
  cli: Cli,
  spec: string,
  summary: string,
  load: () => Promise<{ action: Action }>,
): Command {
  const command = parent.command(spec).description(summary);
  return command.action(async () => {
    const { action } = await load();
    cli.exit((await action(command.processedArgs, command.opts(), cli.io, command.name())) ?? 0);
  });
}

/** A leaf that prints data. */
export function dataLeaf(...parameters: Parameters<typeof leaf>): Command {
  return leaf(...parameters).option('--json', 'print JSON');
}

/** Collects a repeatable option. */
export function repeated(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
