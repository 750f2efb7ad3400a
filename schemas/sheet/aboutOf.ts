import type { GateKind } from '../enums.ts';
import { gateFindingItems, openIssues } from '../findings/locatedFinding.ts';
import { blocksRun } from '../gates/gateKinds.ts';
import { gateWords } from '../gates/gateWords.ts';
import { reviewGateItems } from '../gates/reviewGate.ts';
import { type SharedReason, sharedReasonWords } from '../kinds/lanes/sharedReason.ts';
import { probePlanLines } from '../kinds/step/probePlan.ts';
import type { AboutView } from '../rpc/views/sheet.ts';
import { counted } from '../text/phrases.ts';

interface Gate {
  kind: GateKind;
  subject: Readonly<Record<string, unknown>>;
}

/** The facts of a gate that its question does not have already: what went wrong, and everything that it only counts. */
export function aboutOf({ kind, subject }: Gate, question: string): AboutView[] {
  const { title, next, keep } = gateWords({ kind });
  const fact = (name: string, value: unknown): AboutView[] =>
    typeof value === 'string' && value !== '' && !question.includes(value) ? [{ name, text: value }] : [];
  return [
    ...fact('error', subject.code),
    ...fact('reason', subject.reason),
    ...fact('last words', subject.words),
    ...fact('hint', subject.recoveryHint ?? subject.hint),
    ...(title === null ? [] : fact(keep === null ? 'file' : 'worktree', subject.path)),
    ...fewOf(itemsOf(subject)).map((text) => ({ name: null, text })),
    ...tailLines(subject.tail).map((text) => ({ name: null, text, isCode: true })),
    ...probePlanLines(subject).map((text) => ({ name: null, text, isCode: true })),
    ...(blocksRun({ kind }) ? [] : fact('answer', next)),
  ];
}

const MOST_ITEMS = 200;

function fewOf(items: readonly string[]): string[] {
  const rest = items.length - MOST_ITEMS;
  return rest > 0 ? [...items.slice(0, MOST_ITEMS), `… ${counted(rest, 'more item')}`] : [...items];
}

interface Subject {
  files?: string[];
  pairs?: { a: string; b: string; reasons?: SharedReason[] }[];
  paths?: string[];
  faults?: string[];
  results?: { argv: string[]; reason: string; stdoutPath: string }[];
  ejections?: { with: string[]; results: { argv: string[]; reason: string }[] }[];
}

/** Everything that a question only counts. A subject of another form has none. */
function itemsOf(subject: Gate['subject']): string[] {
  const { files, pairs, paths, faults, results, ejections } = subject as Subject;
  return [
    ...listed(files).map(String),
    ...listed(pairs).map(({ a, b, reasons = [] }) => `${a}, ${b}: ${reasons.map(sharedReasonWords).join('; ')}`),
    ...listed(paths).map(nameOf),
    ...openIssues(subject),
    ...gateFindingItems(subject),
    ...reviewGateItems(subject),
    ...listed(faults).map((fault) => `An earlier resolution was refused: ${fault}`),
    ...listed(results).map(({ argv, reason, stdoutPath }) => `${argv.join(' ')}: ${reason}, output in ${stdoutPath}`),
    ...listed(ejections).flatMap(({ with: others, results: failed }) => {
      const where = others.length > 0 ? `together with ${others.join(', ')}` : 'on this lane';
      return failed.map(({ argv, reason }) => `${argv.join(' ')}, ${where}: ${reason}`);
    }),
  ];
}

function tailLines(tail: unknown): string[] {
  return typeof tail === 'string' && tail !== ''
    ? ['Last output:', ...tail.split('\n').map((each) => `  ${each}`)]
    : [];
}

function listed<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { path, name } = (value ?? {}) as { path?: unknown; name?: unknown };
  return [path, name].filter((part) => typeof part === 'string').join(' ');
}
