import { beforeDashes, type Call, type Inner, literal, mayBeOption, type Word } from '../call/call.ts';
import { unreadable, type Violation } from '../call/violation.ts';
import { GUARDED } from './gitSubcommands.ts';

const VALUED = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--exec-path'],
  '--attr-source',
]);

/** Subcommands whose arguments are only refs, paths and messages. */
const PLAIN = new Set([
  ...[
    'add',
    'am',
    'apply',
    'blame',
    'branch',
    'cat-file',
    'check-attr',
    'check-ignore',
    'check-ref-format',
    'checkout',
  ],
  ...['checkout-index', 'cherry', 'cherry-pick', 'clean', 'commit', 'commit-tree', 'describe', 'diff', 'diff-files'],
  ...['diff-index', 'diff-tree', 'for-each-ref', 'format-patch', 'grep', 'hash-object', 'log', 'ls-files', 'ls-tree'],
  ...['merge', 'merge-base', 'merge-tree', 'mktree', 'mv', 'name-rev', 'notes', 'range-diff', 'read-tree', 'reflog'],
  ...['reset', 'restore', 'rev-list', 'rev-parse', 'revert', 'rm', 'shortlog', 'show', 'show-ref', 'stage', 'stash'],
  ...['status', 'switch', 'symbolic-ref', 'tag', 'update-index', 'update-ref', 'version', 'whatchanged', 'worktree'],
  'write-tree',
]);
const TEXT = new Set(['-m', '--author', '--date', '--format', '--pretty', '--trailer', '-e', '-S', '-G', '--sort']);

interface GitCall {
  subcommand: Word | undefined;
  args: Word[];
  /** Settings of `-c`. */
  config: Word[];
  /** Settings of `--config-env`. */
  configEnv: Word[];
  /** Other words before the subcommand. */
  own: Word[];
}

/** Finds the subcommand after git's own options (`git -C x -c a=b --git-dir=… sub`). */
function readGit(args: readonly Word[]): GitCall {
  const call: GitCall = { subcommand: undefined, args: [], config: [], configEnv: [], own: [] };
  let i = 0;
  for (; i < args.length; i++) {
    const word = args[i] as Word;
    if (!word.text.startsWith('-') && !mayBeOption(word)) break;
    const value = VALUED.has(word.text) ? args[++i] : undefined;
    if (word.text === '-c') call.config.push(...(value ? [value] : []));
    else if (word.text.startsWith('--config-env')) call.configEnv.push(value ?? word);
    else call.own.push(value ?? word);
  }
  return { ...call, subcommand: args[i], args: args.slice(i + 1) };
}

/** Any call of git. `git-reset --hard` is the same as `git reset --hard`. */
export function* gitRule({ name, args: words }: Call): Generator<Violation | Inner> {
  const call = readGit(name === 'git' ? words : [literal(name.slice('git-'.length)), ...words]);
  const { subcommand, args, own } = call;
  for (const word of own) if (!word.text.startsWith('-')) word.role ??= 'name';
  if (subcommand && /^[\w-]+$/.test(subcommand.text)) subcommand.role ??= 'text';
  if (subcommand?.dynamic || own.some(mayBeOption)) yield unreadable('the subcommand of git comes from a variable');
  yield* settings(call);
  for (const { text } of words) {
    const transport = /^(?:--\w+=)?ext::(.*)$/s.exec(text);
    const command = transport?.[1]?.split(/(?<!%) /).map((word) => literal(word.replaceAll('% ', ' ')));
    if (command) yield { words: command };
  }
  const sub = subcommand?.text ?? '';
  if (PLAIN.has(sub)) markPlain(sub, args);
  const rule = Object.hasOwn(GUARDED, sub) ? GUARDED[sub] : undefined;
  if (!rule) return;
  const found = [...rule(args, sub)];
  yield* found;
  // A refspec from a variable may start with +, which forces a push.
  if (found.length === 0 && STRICT.has(sub) && beforeDashes(args).some(mayBeOption))
    yield unreadable(`git ${sub} gets arguments from variables`);
}

/** Subcommands for which a word from a variable may be an option that discards work. */
const STRICT = new Set([
  ...[
    'reset',
    'clean',
    'push',
    'send-pack',
    'worktree',
    'branch',
    'update-ref',
    'checkout',
    'switch',
    'restore',
    'stash',
  ],
]);

/** Settings that force a push, and aliases. A setting that runs a program is checked as a script anyway. */
function* settings({ config, configEnv, subcommand, args }: GitCall): Generator<Violation | Inner> {
  const pairs = config.map(({ text }) => /^([^=]*)=?(.*)$/s.exec(text) ?? ['', text, '']);
  if (subcommand?.text === 'config' || subcommand?.text === 'clone') {
    const at = args.findIndex((word) => /^(?:alias|remote)\./i.test(word.text));
    if (at >= 0)
      pairs.push(/^([^=]*)=(.*)$/s.exec(args[at]?.text ?? '') ?? ['', args[at]?.text ?? '', args[at + 1]?.text ?? '']);
  }
  for (const [, key = '', value = ''] of pairs) {
    if (/^alias\./i.test(key)) yield { script: value.startsWith('!') ? value.slice(1) : `git ${value}` };
    if (/^remote\..*\.mirror$/i.test(key) && !/^(?:false|no|off|0)$/i.test(value))
      yield { rule: 'git_push_force', reason: `${key} makes a push overwrite and delete remote refs` };
    if (/^remote\..*\.push$/i.test(key))
      yield { rule: 'git_push_force', reason: `${key} may force a push or delete branches of the remote` };
  }
  if (configEnv.some((word) => /(?:^|=)alias\./i.test(word.text)))
    yield unreadable('an alias of git comes from the environment');
}

function markPlain(sub: string, args: readonly Word[]): void {
  let pattern = sub === 'grep' && !args.some((word) => /^-[A-Za-z]*[ef]$/.test(word.text)) ? 1 : 0;
  const options = beforeDashes(args).length;
  for (const [i, word] of args.entries()) {
    const before = args[i - 1]?.text ?? '';
    // `-am text` is -a -m text. For commit and tag, -S means sign and takes no pattern.
    const option = /^-[a-z]+m$/.test(before) ? '-m' : before;
    const takesText =
      i <= options && TEXT.has(option) && !(/^-[SG]$/.test(option) && (sub === 'commit' || sub === 'tag'));
    const isOption = word.text.startsWith('-') && i < options;
    if (takesText || (isOption && TEXT.has(word.text.replace(/=[\s\S]*$/, '')))) word.role ??= 'text';
    else if (!isOption && pattern-- > 0) word.role ??= 'text';
    else if (!/^(?:-O|--open-files-in-pager)/.test(word.text)) word.role ??= sub.startsWith('check-') ? 'text' : 'name';
  }
}
