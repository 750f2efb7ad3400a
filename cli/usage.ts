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
    message: code === 'commander.help' ? `${path} needs a command` : sentence(elsewhere(message ?? '', code, program)),
    hint: `See ${path} --help.`,
    data: {},
  };
}

/** Names the commands of that name in other groups: the nearest word by its letters is further from what is meant. */
function elsewhere(message: string, code: string, program: Command): string {
  const [, word] = /^error: unknown command '([a-z-]+)'/.exec(message) ?? [];
  if (code !== 'commander.unknownCommand' || word === undefined) return message;
  const groups = [program, ...program.commands].filter(({ commands }) => commands.some((each) => each.name() === word));
  const paths = groups.map((each) => (each === program ? word : `${each.name()} ${word}`));
  return paths.length === 0 ? message : `error: unknown command '${word}'\n(Did you mean ${paths.join(' or ')}?)`;
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
