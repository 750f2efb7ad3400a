import { type Command, type Finding, mayBeOption, unreadable, type Word } from './finding.ts';
import { gitCheckoutRule, gitRestoreRule, gitStashRule, gitSwitchRule } from './gitDiscardRules.ts';
import {
  gitBranchRule,
  gitCleanRule,
  gitPushRule,
  gitResetRule,
  gitUpdateRefRule,
  gitWorktreeRule,
} from './gitSubcommands.ts';

const VALUED = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--exec-path'],
  '--attr-source',
]);

export interface GitCall {
  subcommand: Word | undefined;
  args: Word[];
  /** Values of `-c`. */
  config: string[];
  /** Values of the options before the subcommand that name files. */
  paths: Word[];
}

/** Finds the subcommand behind git's own options (`git -C x -c a=b --git-dir=… sub`). */
export function readGit(args: readonly Word[]): GitCall {
  const config: string[] = [];
  const paths: Word[] = [];
  let i = 0;
  for (; i < args.length; i++) {
    const word = args[i] as Word;
    if (!word.text.startsWith('-') && !mayBeOption(word)) break;
    if (VALUED.has(word.text)) {
      const value = args[++i];
      if (value && word.text === '-c') config.push(value.text);
      else if (value) paths.push(value);
    } else if (word.text.startsWith('-c')) config.push(word.text.slice(2));
    else paths.push(word);
  }
  return { subcommand: args[i], args: args.slice(i + 1), config, paths };
}

const GUARDED: Record<string, (args: Word[]) => Finding | undefined> = {
  reset: gitResetRule,
  clean: gitCleanRule,
  push: gitPushRule,
  'send-pack': gitPushRule,
  worktree: gitWorktreeRule,
  branch: gitBranchRule,
  'update-ref': gitUpdateRefRule,
  checkout: gitCheckoutRule,
  switch: gitSwitchRule,
  restore: gitRestoreRule,
  stash: gitStashRule,
};

export function gitRule(program: string, words: readonly Word[]): Finding | undefined {
  if (program !== 'git') return undefined;
  const call = readGit(words);
  if (call.subcommand?.dynamic || call.paths.some(mayBeOption))
    return unreadable('the subcommand of git comes from a variable');
  const rule = GUARDED[call.subcommand?.text ?? ''];
  if (!rule) return undefined;
  const found = rule(call.args);
  if (found) return found;
  const dashes = call.args.findIndex((word) => word.text === '--');
  const open = call.args.slice(0, dashes < 0 ? undefined : dashes);
  // A refspec from a variable may start with +, so it is as unknown as an option.
  return open.some(mayBeOption) ? unreadable(`git ${call.subcommand?.text} is given words from variables`) : undefined;
}

/** Commands and scripts that git itself would run: aliases given with -c, `submodule foreach`, `bisect run`, `rebase -x`. */
export function gitInner(program: string, words: readonly Word[]): { commands: Command[]; scripts: string[] } {
  const inner: { commands: Command[]; scripts: string[] } = { commands: [], scripts: [] };
  if (program !== 'git') return inner;
  const { subcommand, args, config } = readGit(words);
  for (const setting of config) {
    const alias = /^alias\.[^=]*=(!?)(.*)$/is.exec(setting);
    if (alias) inner.scripts.push(alias[1] ? (alias[2] as string) : `git ${alias[2]}`);
    const program = /^(?:core\.(?:sshcommand|editor|pager|fsmonitor)|sequence\.editor|diff\.external)=(.*)$/is.exec(
      setting,
    );
    if (program) inner.scripts.push(program[1] as string);
  }
  const first = args[0]?.text;
  if (subcommand?.text === 'submodule') {
    const at = args.findIndex((word) => word.text === 'foreach');
    const rest =
      at < 0 ? [] : args.slice(at + 1).filter((word) => word.text !== '--recursive' && word.text !== '--quiet');
    if (rest.length > 0) inner.scripts.push(rest.map((word) => word.text).join(' '));
  }
  if (subcommand?.text === 'bisect' && first === 'run') inner.commands.push({ words: args.slice(1), redirects: [] });
  if (subcommand?.text === 'rebase') {
    for (const [i, { text }] of args.entries()) {
      if (text === '-x' || text === '--exec') inner.scripts.push(args[i + 1]?.text ?? '');
      else if (text.startsWith('--exec=')) inner.scripts.push(text.slice('--exec='.length));
    }
  }
  return inner;
}
