import { TmuxError } from './errors.ts';
import type { PaneId } from './ids.ts';

/** One tmux command and its arguments, unquoted: `['kill-pane', '-t', '%3']`. */
export type Command = readonly [name: string, ...args: string[]];

/** Commands that run in order, with nothing between them. The first failure ends the sequence. */
export type Sequence = readonly Command[];

/** A guard prints this instead of running its commands; no other command of ours prints such a line. */
export const SKIPPED = 'held-back:6f1c2a';

/**
 * Quotes one word of a tmux command line. Single quotes disable everything (`#{}`, `$`, `~`, `;`, `\`), but a newline
 * ends a line even inside them. So control characters become escapes between double quotes. Throws `bad_argument` for
 * NUL, which no argument can contain.
 */
export function quote(argument: string): string {
  if (argument.includes('\0')) throw new TmuxError('bad_argument', 'An argument of a tmux command cannot contain NUL.');
  if (/^[A-Za-z0-9_./:@+,-]+$/.test(argument)) return argument;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const inner = argument.replace(/['\x00-\x1f\x7f]+/g, (run) => `'"${[...run].map(escaped).join('')}"'`);
  return `'${inner}'`;
}

function escaped(character: string): string {
  return character === "'" ? character : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

/** The line for a control-mode client, without its newline; also an argument for `if-shell`. */
export function commandLine(sequence: Sequence): string {
  return sequence.map((command) => command.map(quote).join(' ')).join(' ; ');
}

/** The arguments for a spawned `tmux`. There, a word that ends in `;` would end the command. */
export function spawnArgs(sequence: Sequence): string[] {
  return sequence.flatMap((command, at) => {
    const words = command.map((word) => (word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word));
    if (command.some((word) => word.includes('\0'))) quote('\0');
    return at === 0 ? words : [';', ...words];
  });
}

/**
 * Runs the sequence unless the pane's program has ended; then tmux prints only SKIPPED. Test and action are one step
 * inside the server. A paste into a dead pane kills tmux 3.3a with all its panes.
 */
export function unlessDead(pane: PaneId, sequence: Sequence): Command {
  return when(pane, '#{pane_dead}', [['display-message', '-p', SKIPPED]], sequence);
}

/** Throws `pane_dead` if the output of an `unlessDead` command says that it was skipped. */
export function throwIfSkipped(pane: PaneId, lines: readonly string[]): void {
  if (lines.includes(SKIPPED)) throw new TmuxError('pane_dead', `The program in pane ${pane} has ended.`);
}

/** Runs `yes` if the format is true for the target, otherwise `no`. The server decides. */
export function when(target: string, format: string, yes: Sequence, no: Sequence = []): Command {
  const branches = no.length === 0 ? [commandLine(yes)] : [commandLine(yes), commandLine(no)];
  return ['if-shell', '-F', '-t', target, format, ...branches];
}

/**
 * Escapes text so that a format prints it unchanged: doubles `#`, and `%` where tmux also applies strftime. Before a
 * `[` tmux expects a style and leaves every `#` unchanged. A message or a popup's title is `drawn`: tmux then reads
 * that style, unless `#` is doubled there too.
 */
export function escapeFormat(text: string, options: { strftime?: boolean; drawn?: boolean } = {}): string {
  const hashes = text.replace(/#+(\[?)/g, (run, bracket) =>
    bracket && !options.drawn ? run : `${'#'.repeat(2 * (run.length - bracket.length))}${bracket}`,
  );
  return options.strftime ? hashes.replaceAll('%', '%%') : hashes;
}

/** Quotes one word for `sh`. Throws `bad_argument` for NUL, which no argument can contain. */
export function shellQuote(word: string): string {
  if (word.includes('\0')) throw new TmuxError('bad_argument', 'An argument cannot contain NUL.');
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
