import { type CommandNode, type PipelineNode, parse, type Word as ShellWord } from 'unbash';
import { defined } from '../../../schemas/defined.ts';
import { expands } from './shell.ts';

/** One command of a script that stands on its own. */
export interface ScriptPart {
  /** Its text in the script. */
  text: string;
  /** Lines before it in the script. */
  line: number;
  /** Its words if a program gets exactly these; else undefined, and `why` says what only a shell can do. */
  words?: string[];
  /** Variables that it sets for itself, or for all that follow if there are no words. */
  variables: [name: string, value: string][];
  why?: string;
}

/** Splits a script at its lines, `;` and `&&`. Parts that need a shell stay whole. */
export function splitScript(source: string): ScriptPart[] {
  const script = parse(source);
  const fault = script.errors?.[0]?.message;
  if (fault) return [{ text: source, line: 0, variables: [], why: `it does not parse (${fault})` }];
  const split = splitter(source);
  return script.commands.flatMap((statement) => {
    if (statement.background) return [split.whole(statement, 'it runs in the background')];
    const { command } = statement;
    if (command.type !== 'AndOr') return [split.part(command)];
    if (command.operators.some((operator) => operator === '||')) return [split.whole(command, 'it has ||')];
    if (command.commands.some(isCondition)) return [split.whole(command, 'it depends on a condition')];
    return command.commands.map(split.part);
  });
}

type Node = PipelineNode | CommandNode;

function splitter(source: string) {
  let counted = 0;
  let line = 0;
  /** Parts come in the order of the script, so that each character is counted once. */
  function whole({ pos, end }: { pos: number; end: number }, why?: string): ScriptPart {
    for (; counted < pos; counted++) if (source[counted] === '\n') line += 1;
    return defined({ text: source.slice(pos, end), line, variables: [], why });
  }
  function part(node: Node): ScriptPart {
    if (node.type === 'Pipeline') return whole(node, 'it is a pipe or a negation');
    if (node.type !== 'Command') return whole(node, 'it is more than one command');
    if (node.redirects.length > 0) return whole(node, 'it redirects a stream');
    const variables: [string, string][] = [];
    const words: string[] = [];
    for (const each of [...node.prefix, ...(node.name ? [node.name] : []), ...node.args]) {
      const word = each.type === 'Assignment' ? each.value : each;
      if (word.type !== 'Word' || !isPlain(word)) return whole(node, 'a shell expands a part of it');
      if (each.type !== 'Assignment') words.push(word.value);
      else if (words.length === 0 || words[0] === 'export') variables.push([each.name, word.value]);
      else words.push(`${each.name}=${word.value}`);
    }
    const isSetting = words.length === 1 && words[0] === 'export';
    return { ...whole(node), words: isSetting ? [] : words, variables };
  }
  return { whole, part };
}

function isCondition(node: Node): boolean {
  if (node.type === 'TestCommand') return true;
  return node.type === 'Command' && (node.name?.value === '[' || node.name?.value === 'test');
}

/** True if the program gets the word as it is written. */
function isPlain({ text, parts = [] }: ShellWord): boolean {
  return !text.startsWith('~') && !parts.some((part) => expands(part) || part.type === 'Glob');
}
