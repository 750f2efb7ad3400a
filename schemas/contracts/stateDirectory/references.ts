import { shorten } from '../../text/phrases.ts';
import { type Finding, finding, makeReport, type Report } from '../report/report.ts';
import { type Bucket, classifyEntry, classifyName } from './classify.ts';
import { STATE_CONTRACT, type StateContract } from './contract.ts';
import { unknownTo } from './contractInForce.ts';

/** A file of the state directory that a prompt or workflow names. */
export interface Reference {
  file: string;
  line: number;
  name: string;
  bucket: Bucket;
}

const MENTION = /(?<![\w-])\.devt\/state\/([^\s"'`()|,;:\\]*)/g;
/** Longer names cannot be files. */
const LONGEST = 255;

/** Which files of the state directory some texts name, and whether the contract knows them. */
export function checkReferences(
  texts: readonly { file: string; text: string }[],
  contract: StateContract = STATE_CONTRACT,
): Report & { parsed: { references: Reference[] } } {
  const references = texts.flatMap((each) => findReferences(each, contract));
  const report = makeReport({
    contract: contract.id,
    subject: texts.map(({ file }) => file).join(' '),
    mode: 'strict',
    findings: references.flatMap((each) => findingOf(each, contract)),
    parsed: null,
  });
  return { ...report, parsed: { references } };
}

function findReferences({ file, text }: { file: string; text: string }, contract: StateContract): Reference[] {
  return text.split('\n').flatMap((line, index) => {
    return [...line.matchAll(MENTION)].flatMap(({ 1: written = '', index: at, 0: whole }): Reference[] => {
      // `review-(a|b).md` stands for several names.
      const isChoice = line[at + whole.length] === '(' && !/(?:\.[a-z]+|[\]>}*])$/.test(written);
      const name = isChoice ? undefined : nameOf(written.slice(0, LONGEST + 1), contract);
      return name === undefined ? [] : [{ file, line: index + 1, ...name }];
    });
  });
}

/** The name in a mention and its bucket; undefined if it stands for many names, or for the directory. */
function nameOf(written: string, contract: StateContract): { name: string; bucket: Bucket } | undefined {
  let text = written;
  for (const [opening, closing] of BRACKETS) {
    const end = text.indexOf(closing);
    if (end >= 0 && !text.slice(0, end).includes(opening)) text = text.slice(0, end);
  }
  const emphasis = /\.[A-Za-z]+(\*{1,3})$/.exec(text)?.[1]?.length ?? 0;
  text = text.slice(0, text.length - emphasis);
  const [first = '', ...below] = text.split('/');
  const name = below.length > 0 ? first : withoutStops(first);
  if (name === '' || /[<>{}[\]*$…]/.test(name)) return undefined;
  const bucket = below.length > 0 ? classifyEntry({ name, kind: 'dir' }, contract) : classifyName(name, contract);
  return { name, bucket };
}

const BRACKETS = [
  ['<', '>'],
  ['{', '}'],
  ['[', ']'],
] as const;

/** A full stop at the end of a sentence is no part of the name. */
function withoutStops(text: string): string {
  let end = text.length;
  while (end > 0 && '.!?'.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

function findingOf({ file, line, name, bucket }: Reference, contract: StateContract): Finding[] {
  const at = { path: file, line };
  if (bucket === 'ad_hoc') {
    return [finding('STATE_REFERENCE_UNKNOWN', `${shorten(name)} ${unknownTo({ name, kind: 'file' }, contract)}`, at)];
  }
  if (bucket === 'ephemeral') {
    return [finding('STATE_REFERENCE_EPHEMERAL', `${shorten(name)} is ephemeral: every cleanup takes it.`, at)];
  }
  return [];
}
