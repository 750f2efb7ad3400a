import { type Command, type CompoundList, type PipelineNode, parse, type Statement, type Word } from 'unbash';
import { expands } from '../../policy/shell/shell.ts';
import { QUIET } from '../candidate/wrappers.ts';

/** Longer scripts are programs. In doubt they can fail. */
const MOST_CHARACTERS = 16_000;

/** At the end of a pipe they end with 0, whatever they read. */
const FILTERS = new Set('tee cat head tail sort uniq tr cut wc nl fold fmt column tac rev less more ts'.split(' '));
/** These run text that may end the script. */
const UNKNOWN = new Set(['source', '.', 'eval', 'exec', 'trap']);

/** The options of a shell at its start. */
export interface ShellOptions {
  errexit?: boolean;
  pipefail?: boolean;
}

interface State extends Required<ShellOptions> {
  /** The script may end here and now with another code than 0. */
  mayEndBadly: boolean;
  /** An `exit` that always comes ended it. */
  hasEnded: boolean;
  /** The command before may have failed: what `exit` without a number repeats. */
  mayHaveFailed: boolean;
}

/** True if a command always ends with 0. */
export type AlwaysGood = (argv: readonly string[]) => boolean;

/** True if a script ends with 0 whatever its commands find. In doubt it is false. */
export function alwaysEndsWell(script: string, options: ShellOptions, isAlwaysGood: AlwaysGood): boolean {
  if (script.length > MOST_CHARACTERS) return false;
  const parsed = parse(script);
  if (parsed.errors?.length) return false;
  const { errexit = false, pipefail = false } = options;
  const state: State = { errexit, pipefail, mayEndBadly: false, hasEnded: false, mayHaveFailed: false };
  const mayFail = reader(isAlwaysGood).list(parsed.commands, state);
  return !state.mayEndBadly && (state.hasEnded || !mayFail);
}

/** Each function tells whether what it reads may end with another code than 0. */
function reader(isAlwaysGood: AlwaysGood) {
  function list(statements: readonly Statement[], state: State): boolean {
    let mayFail = false;
    for (const { command, background } of statements) {
      if (state.hasEnded) break;
      mayFail = background ? false : andOr(command, state);
      if (mayFail && state.errexit) state.mayEndBadly = true;
      state.mayHaveFailed = mayFail;
    }
    return mayFail;
  }

  function andOr(node: Statement['command'], state: State): boolean {
    if (node.type !== 'AndOr') return pipeline(node, state);
    const [first, ...rest] = node.commands;
    let mayFail = first !== undefined && pipeline(first, state);
    for (const [nth, next] of rest.entries()) {
      state.mayHaveFailed = mayFail;
      if (node.operators[nth] === '&&') mayFail = sometimes(state, () => pipeline(next, state)) || mayFail;
      else if (mayFail) mayFail = sometimes(state, () => pipeline(next, state));
    }
    return mayFail;
  }

  function pipeline(node: PipelineNode, state: State): boolean {
    if (node.type !== 'Pipeline') return command(node, state);
    if (node.prefixes.some(({ type }) => type === 'Negation')) return true;
    const own = { ...state, hasEnded: false, mayEndBadly: false };
    const all = node.commands.map((each, nth) => {
      const isFilter = nth > 0 && each.type === 'Command' && FILTERS.has(each.name?.value ?? '');
      return !isFilter && command(each, own);
    });
    return state.pipefail ? all.includes(true) || own.mayEndBadly : (all.at(-1) ?? false);
  }

  function command(node: Exclude<PipelineNode, { type: 'Pipeline' }>, state: State): boolean {
    switch (node.type) {
      case 'Command':
        return simple(node, state);
      case 'Redirected':
        return command(node.command, state);
      case 'BraceGroup':
        return list(node.body.commands, state);
      case 'Subshell':
        return subshell(node.body, state);
      case 'If': {
        tested(node.clause, state);
        for (const { clause } of node.elif) tested(clause, state);
        const branches = [node.then, ...node.elif.map(({ then }) => then), ...(node.else ? [node.else] : [])];
        return branches.map((each) => branch(each, state)).includes(true);
      }
      case 'While':
        tested(node.clause, state);
        return branch(node.body, state);
      case 'For':
      case 'Select':
      case 'ArithmeticFor':
        return branch(node.body, state);
      case 'Case':
        return node.items.map(({ body }) => branch(body, state)).includes(true);
      case 'Function':
        // It may end the script wherever it is called.
        state.mayEndBadly = true;
        return false;
      default:
        return true;
    }
  }

  function simple({ name, prefix, args }: Command, state: State): boolean {
    if (name === undefined) return prefix.some((each) => each.type === 'Assignment' && /\$\(|`/.test(each.text));
    if (name.parts?.some(expands)) return true;
    const program = name.value;
    const words = args.flatMap((each) => (each.type === 'Word' ? [each] : []));
    if (program === 'set') return setOptions(words, state);
    if (program === 'exit') return exit(words[0], state);
    if (program === 'return') return words[0]?.value !== '0';
    if (UNKNOWN.has(program)) state.mayEndBadly = true;
    return !QUIET.has(program) && !isAlwaysGood([program, ...words.map(({ value }) => value)]);
  }

  /** A shell of its own: its end is only a code. */
  function subshell({ commands }: CompoundList, state: State): boolean {
    const own = { ...state, hasEnded: false, mayEndBadly: false };
    const mayFail = list(commands, own);
    return own.mayEndBadly || (!own.hasEnded && mayFail);
  }

  /** A condition that fails ends nothing. */
  function tested({ commands }: CompoundList, state: State): void {
    const { errexit } = state;
    state.errexit = false;
    sometimes(state, () => list(commands, state));
    state.errexit = errexit;
  }

  function branch({ commands }: CompoundList, state: State): boolean {
    return sometimes(state, () => list(commands, state));
  }

  return { list };
}

/** For a part that may not run. An `exit` in it is no certain end, and options that it sets are uncertain. */
function sometimes(state: State, read: () => boolean): boolean {
  const { errexit, pipefail } = state;
  const mayFail = read();
  state.hasEnded = false;
  state.errexit ||= errexit;
  state.pipefail ||= pipefail;
  return mayFail;
}

function exit(code: Word | undefined, state: State): boolean {
  const isGood = code === undefined || code.value === '$?' ? !state.mayHaveFailed : code.value === '0';
  if (!isGood) state.mayEndBadly = true;
  state.hasEnded = true;
  return false;
}

function setOptions(words: readonly Word[], state: State): boolean {
  for (const [nth, { value }] of words.entries()) {
    const isOn = value.startsWith('-');
    const long = words[nth - 1]?.value.match(/^[-+][a-z]*o$/) ? value : '';
    if (/^[-+][a-z]*e/.test(value)) state.errexit = isOn;
    if (long === 'errexit') state.errexit = words[nth - 1]?.value.startsWith('-') ?? false;
    if (long === 'pipefail') state.pipefail = words[nth - 1]?.value.startsWith('-') ?? false;
  }
  return false;
}
