import type { Command } from 'commander';
import type { Action, Io } from '../io/io.ts';

/** What the definitions need of the program they are part of. */
export interface Cli {
  io: Io;
  /** Called with the exit code when an action has ended. */
  exit(code: number): void;
  /** The one command that will run, if known. Other groups stay empty, which saves milliseconds. */
  only?: string;
}

/**
 * Adds a command whose action is a file in `cli/commands`. `load` imports that file. The build keeps it apart, so that only
 * the command that runs is read.
 */
type AddLeaf = (spec: string, summary: string, load: () => Promise<{ action: Action }>) => Command;

export interface Leaves {
  leaf: AddLeaf;
  /** A leaf with `--json`. */
  dataLeaf: AddLeaf;
}

/** Adds commands below `parent`. */
export function leavesOf(parent: Command, cli: Cli): Leaves {
  const leaf: AddLeaf = (spec, summary, load) => {
    const command = parent.command(spec).description(summary);
    return command.action(async () => {
      const { action } = await load();
      cli.exit((await action(command.processedArgs, command.opts(), cli.io, command.name())) ?? 0);
    });
  };
  return { leaf, dataLeaf: (...leafOf) => leaf(...leafOf).option('--json', 'print JSON') };
}

/** Adds a command that only groups other commands. */
export function group(program: Command, cli: Cli, name: string, summary: string, fill: (leaves: Leaves) => void): void {
  const command = program.command(name).description(summary);
  if (cli.only === undefined || cli.only === name) fill(leavesOf(command, cli));
}

/** Collects a repeatable option. */
export function repeated(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
