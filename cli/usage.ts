import type { Command } from 'commander';
import { CATALOGUE } from '../schemas/errors.ts';
import type { Failure } from './print/failure.ts';

/**
 * A failure for an error of commander; `shown` if commander printed the help that was asked for. Undefined for other
 * errors.
 */
export function usageFailure(error: unknown, argv: readonly string[], program: Command): Failure | 'shown' | undefined {
  const { name, code, message, exitCode } = error as {
    name?: string;
    code?: string;
    message?: string;
    exitCode?: number;
  };
  if (!code?.startsWith('commander.') || name === 'DevflowError') return undefined;
  if (exitCode === 0) return 'shown';
  const path = commandPath(code === 'commander.unknownCommand' ? [] : argv, program);
  return {
    ...CATALOGUE.usage,
    code: 'usage',
    message: code === 'commander.help' ? `${path} needs a command` : sentence(message ?? ''),
    hint: `See ${path} --help.`,
    data: {},
  };
}

/** `error: unknown option '--foo'\n(Did you mean --bar?)` as one sentence. */
function sentence(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*\(Did you mean (.*)\?\)/, ' (did you mean $1?)')
    .replaceAll('\n', ' ');
}

/** The words that name the command: `devflow run start`. */
function commandPath([first, second]: readonly string[], program: Command): string {
  const words = ['devflow'];
  if (first && /^[a-z]/.test(first)) words.push(first);
  const isGroup = program.commands.some((each) => each.name() === first && each.commands.length > 0);
  if (isGroup && second && /^[a-z]/.test(second)) words.push(second);
  return words.join(' ');
}
