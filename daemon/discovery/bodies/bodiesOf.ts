import type { Fact } from '../../../schemas/repoFacts.ts';
import { linesOf } from '../candidate/lines.ts';
import { nameOf, stepInto } from '../candidate/paths.ts';
import { innerCommand, NODE_MANAGERS, SHELLS } from '../candidate/wrappers.ts';
import { makeRecipes } from './makeRecipes.ts';
import { namedScripts, nodeScripts } from './nodeScripts.ts';
import { publishes } from './publishes.ts';
import {
  type Bodies,
  type Body,
  type CommandOrigin,
  type CommitTexts,
  createWalk,
  MOST_WORDS,
  type Walk,
} from './walk.ts';

const MOST_CHARACTERS = 64 * 1024;
const MOST_COMMANDS = 500;
const MOST_DIRECTORIES = 8;

const FOLLOWED = new Set([...SHELLS, '.', 'source']);
const SHEBANG = /^#!\s*\S*\/(?:env\s+(?:-S\s+)?)?(?:ba|da|z|k|a)?sh\b/;
const BY_NAME = new Set(['run-s', 'run-p', 'npm-run-all', 'npm-run-all2']);
const MAKE = new Set(['make', 'gmake']);
/** Programs that run the command among their arguments. */
const RUNNERS = new Set(
  'timeout nohup exec command builtin xargs setsid nice ionice stdbuf time sudo doas find unshare if while until then do else elif !'.split(
    ' ',
  ),
);
/** Programs of which each argument may be a command. */
const TEXT_RUNNERS = new Set(['concurrently', 'eval', 'trap', 'watch', 'wireit']);
/** Programs that run nothing of the repository. */
const PLAIN = new Set(
  '[ [[ : true false test echo printf cat ls cp mv rm mkdir rmdir touch ln pwd date env export set unset local readonly return exit shift read sleep wait kill head tail grep sed awk sort uniq wc tr cut tee diff cmp chmod basename dirname realpath which type for case git cd pushd popd umask rimraf'.split(
    ' ',
  ),
);

/** All texts of the commit that run with a command, as far as devflow reads them. Pure. */
export function bodiesOf({ argv, cwd, from }: Pick<Fact, 'argv' | 'cwd' | 'from'>, commit: CommitTexts): Bodies {
  const walk = createWalk(commit);
  follow(walk, argv, { cwd, from: `${from.path}:${from.line}`, depth: 0 });
  return walk.found();
}

function follow(walk: Walk, all: readonly string[], origin: CommandOrigin): void {
  if (!walk.spend()) return;
  const argv = all.slice(0, MOST_WORDS);
  if (all.length > MOST_WORDS) walk.skip(`${all.length - MOST_WORDS} more words of ${argv[0]}`);
  refusePublishing(walk, argv, origin);
  const [program = '', ...args] = innerCommand(argv);
  const name = nameOf(program);
  if (program === '' || /^\w+=/.test(program)) return;
  if (FOLLOWED.has(program)) followShell(walk, args, origin);
  else if (program.includes('/')) followFile(walk, program, origin);
  else if (NODE_MANAGERS.has(name)) runAll(walk, nodeScripts(walk, name, args, origin), origin);
  else if (BY_NAME.has(name)) runAll(walk, namedScripts(walk, args, origin), origin);
  else if (MAKE.has(name)) runAll(walk, makeRecipes(walk, args, origin), origin);
  else if (RUNNERS.has(name)) for (let at = 0; at < args.length; at += 1) followKnown(walk, args.slice(at), origin);
  else if (TEXT_RUNNERS.has(name)) {
    for (const arg of args) if (/\s/.test(arg)) followText(walk, arg, origin);
  } else if (!PLAIN.has(name)) walk.skip(program);
}

function isFollowed(name: string): boolean {
  return [FOLLOWED, NODE_MANAGERS, BY_NAME, MAKE, RUNNERS, TEXT_RUNNERS].some((set) => set.has(name));
}

function refusePublishing(walk: Walk, argv: readonly string[], { from }: CommandOrigin): void {
  const published = publishes(argv);
  if (published !== undefined) walk.refuse(`publishes: "${published}" reaches outside of this machine (${from})`);
}

/** An argument of a runner is a command only if it names one that devflow follows. */
function followKnown(walk: Walk, words: readonly string[], origin: CommandOrigin): void {
  const [program = ''] = words;
  refusePublishing(walk, words, origin);
  const isFile = program.includes('/') && walk.commit.paths.has(stepInto(origin.cwd, program) ?? '');
  if (isFile || isFollowed(program)) follow(walk, words, origin);
}

function runAll(walk: Walk, bodies: readonly [Body, string][], { depth }: CommandOrigin): void {
  for (const [body, cwd] of bodies) run(walk, body, { cwd, depth: depth + 1 });
}

function run(walk: Walk, body: Body, origin: Pick<CommandOrigin, 'cwd' | 'depth'>): void {
  if (!walk.add(body, origin.depth)) return;
  followText(walk, body.text, { ...origin, from: `${body.path}:${body.line}` });
}

/** Every command of a shell script. After `cd` both directories count, because only a running shell knows which one holds. */
function followText(walk: Walk, text: string, origin: CommandOrigin): void {
  if (text.length > MOST_CHARACTERS) {
    walk.skip(origin.from);
    return;
  }
  const commands = walk.commit.commandsOf(text);
  if (commands.length > MOST_COMMANDS) walk.skip(origin.from);
  const directories = [origin.cwd];
  for (const { words } of commands.slice(0, MOST_COMMANDS)) {
    const [program, to] = words;
    if (program?.text === 'cd' || program?.text === 'pushd') {
      const next = to === undefined || to.dynamic ? [] : directories.flatMap((each) => stepInto(each, to.text) ?? []);
      if (next.length === 0) walk.skip(`cd ${to?.text ?? ''}`);
      directories.push(...next.filter((each) => !directories.includes(each)).slice(0, MOST_DIRECTORIES));
    }
    const argv = words.map((word) => word.text);
    for (const cwd of directories.slice(0, MOST_DIRECTORIES)) follow(walk, argv, { ...origin, cwd });
  }
}

/** `sh -c text`, or `sh file`. */
function followShell(walk: Walk, args: readonly string[], origin: CommandOrigin): void {
  const at = args.findIndex((arg) => !/^[-+]/.test(arg));
  const operand = args[at];
  if (operand === undefined) return;
  const isText = args.slice(0, at).some((arg) => /^-[a-z]*c/.test(arg));
  if (isText) followText(walk, operand, origin);
  else followFile(walk, operand, origin, true);
}

function followFile(walk: Walk, program: string, origin: CommandOrigin, isShell = false): void {
  const path = stepInto(origin.cwd, program);
  if (path === undefined || !walk.commit.paths.has(path)) {
    walk.skip(program);
    return;
  }
  const text = walk.text(path);
  if (text === undefined) return;
  const first = linesOf(text.slice(0, 200))[0] ?? '';
  const isScript = isShell || SHEBANG.test(first) || (path.endsWith('.sh') && !first.startsWith('#!'));
  // The wrappers of Maven and Gradle load a program, and the program runs the build file.
  if (isScript && !/^(?:mvnw|gradlew)$/.test(nameOf(path))) {
    run(walk, { path, line: 1, text }, { cwd: origin.cwd, depth: origin.depth + 1 });
  } else walk.skip(path);
}
