import type { CommandNode, Offer, OptionNode } from './tree.ts';

/** A word to offer, and its description. */
export type Candidate = [value: string, description: string];

/** The description of a candidate. A daemon of an older version gives no titles. */
export function described(...facts: readonly (string | undefined)[]): string {
  return facts.filter(Boolean).join('  ');
}

/** The cursor in a command line, and what may stand there. */
export interface Cursor {
  /** The command: `/run/start`. */
  path: string;
  /** Words with descriptions, or an offer of the command. */
  offer: Offer | { type: 'candidates'; candidates: Candidate[] };
  /** The text in front of the offered word, such as `--repo=`. */
  lead: string;
  /** The typed text after the lead. */
  word: string;
  /** The values of the options so far, by flag. Empty for an option without a value. */
  given: ReadonlyMap<string, readonly string[]>;
}

/** Reads the words before the cursor as the command line does, and finds what may follow. */
export function cursorAt(nodes: readonly CommandNode[], words: readonly string[], current: string): Cursor {
  const read = readWords(nodes, words);
  const { node, given, expects, isPlain } = read;
  const at = (offer: Cursor['offer'], lead = ''): Cursor => ({
    path: node.path,
    given,
    offer,
    lead,
    word: current.slice(lead.length),
  });
  if (expects) return at(expects);
  if (!isPlain && current.startsWith('-')) {
    const [flag = '', value] = splitFlag(current);
    const option = value === undefined ? undefined : optionOf(node, flag);
    if (value !== undefined) return at(option?.value ?? { type: 'nothing' }, `${flag}=`);
    return at({ type: 'candidates', candidates: flagsOf(node, given) });
  }
  return at(positionOffer(read));
}

interface Read {
  node: CommandNode;
  given: Map<string, string[]>;
  /** The number of positional arguments so far. */
  positions: number;
  /** The option before the cursor takes a value. */
  expects: Offer | undefined;
  /** No further option can follow. */
  isPlain: boolean;
}

function readWords(nodes: readonly CommandNode[], words: readonly string[]): Read {
  const root = nodes.find(({ path }) => path === '') as CommandNode;
  const read: Read = { node: root, given: new Map(), positions: 0, expects: undefined, isPlain: false };
  let waiting: OptionNode | undefined;
  for (const word of words) {
    if (waiting) {
      read.given.get(waiting.flag)?.push(word);
      waiting = undefined;
    } else if (!read.isPlain && word === '--') read.isPlain = true;
    else if (!read.isPlain && word.startsWith('-') && word !== '-') waiting = readOption(read, word);
    else readPlain(read, nodes, word);
  }
  return { ...read, expects: waiting?.value };
}

/** Returns the option when its value is the next word. */
function readOption({ node, given }: Read, word: string): OptionNode | undefined {
  const [flag = '', value] = splitFlag(word);
  const option = optionOf(node, flag);
  if (!option) return undefined;
  const values = given.get(option.flag) ?? [];
  given.set(option.flag, value === undefined ? values : [...values, value]);
  return option.value && value === undefined ? option : undefined;
}

function readPlain(read: Read, nodes: readonly CommandNode[], word: string): void {
  const isChild = read.positions === 0 && read.node.children.some(({ name }) => name === word);
  if (isChild) read.node = nodes.find(({ path }) => path === `${read.node.path}/${word}`) as CommandNode;
  else read.positions += 1;
  // The words after the first one belong to the command that is checked.
  if (!isChild && read.node.variadic) read.isPlain = true;
}

function positionOffer({ node, given, positions, isPlain }: Read): Cursor['offer'] {
  if (node.children.length > 0) {
    const names = node.children.map(({ name, summary }): Candidate => [name, summary]);
    return { type: 'candidates', candidates: positions === 0 ? names : [] };
  }
  const offer = node.args[node.variadic ? Math.min(positions, node.args.length - 1) : positions];
  if (offer) return offer;
  return { type: 'candidates', candidates: isPlain ? [] : flagsOf(node, given) };
}

function flagsOf({ options }: CommandNode, given: Read['given']): Candidate[] {
  return options
    .filter(({ flag, repeatable }) => repeatable || !given.has(flag))
    .map(({ flag, summary }): Candidate => [flag, summary]);
}

function optionOf({ options }: CommandNode, flag: string): OptionNode | undefined {
  return options.find((option) => option.flag === flag || option.short === flag);
}

/** `--repo=x` as flag and value. */
function splitFlag(word: string): [flag: string, value?: string] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
