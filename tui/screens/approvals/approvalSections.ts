import { findingSentence, gateFindingItems } from '../../../schemas/findings/locatedFinding.ts';
import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import { gateWords } from '../../../schemas/gates/gateWords.ts';
import { notDoneIn, notDoneWords } from '../../../schemas/kinds/lanes/notDone.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { ArtifactContent } from '../../../schemas/rpc/views/artifact.ts';
import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Model } from '../../model/model.ts';
import { elapsed } from '../../text/elapsed.ts';
import { labelled } from '../../text/labelled.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { lineDiff } from '../../text/lineDiff.ts';
import { memoize } from '../../text/memoize.ts';
import { theme } from '../../text/theme.ts';
import { clock } from '../../text/time.ts';
import { artifactLines, artifactWords, rawLines } from '../../widgets/artifactText.ts';
import { codeDiffLines, textDiffLines } from '../../widgets/diff.ts';
import { problemLines } from './approvalProblem.ts';
import { invalidArtifact, previousOf } from './approvalQueries.ts';
import { bulletLines, decisionLines } from './decisionLines.ts';

/** One section of a gate. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  /** Code: long lines are cut and scroll sideways instead of wrapping. */
  readonly long?: true;
  lines(columns: number, raw: boolean): readonly Line[];
}

/** The sections of a gate, what is under decision first. */
export function sectionsOf(model: Model, approval: ApprovalDetail): Section[] {
  const { artifacts, diff, commands, subject } = approval;
  const { title } = gateWords(approval);
  const sections: Section[] = [];
  if (title !== null) {
    sections.push({ id: 'problem', title, lines: (columns) => problemLines(model, approval, columns) });
  }
  if (title === null && approval.consequences) {
    sections.push({ id: 'decision', title: 'Decision', lines: (columns) => decisionLines(approval, columns) });
  }
  const notDone = notDoneIn(subject).map(notDoneWords);
  if (notDone.length > 0) {
    const lines = (columns: number) => bulletLines(notDone, columns);
    sections.push({ id: 'not-done', title: 'Not done', count: notDone.length, lines });
  }
  const findings = gateFindingItems(subject);
  // Other gates list them among what they ask about.
  if (title === null && !approval.consequences && findings.length > 0) {
    sections.push({
      id: 'findings',
      title: 'Findings',
      lines: (columns) => bulletLines(findings, columns),
    });
  }
  const invalid = invalidArtifact(model, approval);
  if (invalid) {
    const lines = (columns: number, raw: boolean) => invalidLines(invalid, `${columns} ${raw ? 'raw' : ''}`);
    sections.push({ id: 'artifact', title: 'Invalid artifact', lines });
  }
  if (artifacts.length > 0) {
    const count = artifacts.length > 1 ? artifacts.length : undefined;
    const lines = (columns: number, raw: boolean) => artifactsLines(approval, `${columns} ${raw ? 'raw' : ''}`);
    sections.push({ id: 'artifact', title: 'Artifact', count, lines });
  }
  const pairs = artifacts.flatMap((artifact) => {
    const before = previousOf(model, approval, artifact);
    return before ? [{ artifact, before }] : [];
  });
  const since = pairs[0]?.before.attempt;
  if (since !== undefined) {
    const lines = (columns: number) => pairs.flatMap(({ artifact, before }) => changesLines(artifact, before, columns));
    sections.push({ id: 'since', title: `Since attempt ${since}`, lines });
  }
  if (diff)
    sections.push({
      id: 'code',
      title: 'Code',
      count: diff.files.length,
      long: true,
      lines: () => codeLines(diff),
    });
  if (commands.length > 0) {
    const lines = (columns: number) => commands.flatMap((each) => commandLines(each, columns, model.now));
    sections.push({ id: 'commands', title: 'Commands', count: commands.length, lines });
  }
  sections.push({ id: 'about', title: 'About', lines: (columns) => aboutLines(approval, columns, model.now) });
  return sections;
}

export const codeLines = memoize(codeDiffLines);

/** Reads the memo key: the width, and whether to show the artifact as written. */
function mannerOf(how: string): [columns: number, raw: boolean] {
  const [columns, raw] = how.split(' ');
  return [Number(columns), raw === 'raw'];
}

const artifactsLines = memoize((approval: ApprovalDetail, how) =>
  approval.artifacts.flatMap((artifact, nth) => artifactOf(artifact, ...mannerOf(how), nth > 0)),
);
const invalidLines = memoize((artifact: ArtifactContent, how) => artifactOf(artifact, ...mannerOf(how), false));

function artifactOf(artifact: ArtifactContent, columns: number, raw: boolean, apart: boolean): Line[] {
  const { content, path, schema, errors, truncated } = artifact;
  const name = line(span(schema, theme.muted), span(`  ${path.split('/').at(-1) ?? ''}`, theme.muted));
  const faults = errors.flatMap((fault) => wrap(faultWords(fault), columns, theme.bad));
  const body =
    content === null
      ? wrap(artifact.fault ?? 'The file is missing.', columns, theme.bad)
      : raw
        ? rawLines(content, columns)
        : artifactLines(content, columns);
  const more = truncated
    ? [EMPTY, ...wrap(`Only the beginning is shown. The whole file: ${path}`, columns, theme.warn)]
    : [];
  return [...(apart ? [EMPTY] : []), name, ...faults, EMPTY, ...body, ...more];
}

/** An error in a document of a contract has a code, and often a line. */
function faultWords(fault: ArtifactContent['errors'][number]): string {
  return findingSentence(fault.code === undefined ? { ...fault, path: fault.path || '(whole)' } : fault);
}

const wordsOf = memoize((artifact: ArtifactContent) => artifactWords(artifact.content ?? ''));
const partsOf = new WeakMap<ArtifactContent, { before: ArtifactContent; parts: ReturnType<typeof lineDiff> }>();

function changesLines(artifact: ArtifactContent, before: ArtifactContent, columns: number): Line[] {
  const last = partsOf.get(artifact);
  const parts = last?.before === before ? last.parts : lineDiff(wordsOf(before), wordsOf(artifact));
  partsOf.set(artifact, { before, parts });
  const name = line(span(artifact.schema, theme.muted), span(`  ${artifact.path.split('/').at(-1)}`, theme.muted));
  if (parts.every(({ sign }) => sign === ' '))
    return [name, EMPTY, line(span('Nothing changed since the previous attempt.', theme.warn))];
  return [name, EMPTY, ...textDiffLines(parts, columns)];
}

function commandLines(
  { argv, exitCode, reason, startedAt, endedAt, cwd, stdoutPath, stderrPath }: CommandView,
  columns: number,
  now: number,
): Line[] {
  const runs = endedAt === null;
  const good = exitCode === 0;
  const sign = runs ? span('● ', theme.accent) : good ? span('✓ ', theme.good) : span('✗ ', theme.bad);
  const end = runs ? 'running' : exitCode === null ? (reason ?? 'ended by a signal') : `exit ${exitCode}`;
  const facts: [string, string | null][] = [
    ['reason', good ? null : reason],
    ['directory', cwd],
    ['stdout', stdoutPath],
    ['stderr', stderrPath],
  ];
  return [
    ...wrap(argv.join(' '), columns - 2, theme.title).map((each, nth) => line(nth === 0 ? sign : '  ', ...each)),
    line(span(`  ${end}  ${elapsed(startedAt, endedAt, now)}`, good || runs ? theme.muted : theme.bad)),
    ...facts.flatMap(([name, text]) => (text === null ? [] : labelled(name, text, columns, 10))),
    EMPTY,
  ];
}

const ABOUT_LABEL = 14;

function aboutLines(approval: ApprovalDetail, columns: number, now: number): Line[] {
  const { id, runId, gateKey, kind, phaseKey, attempt, artifactHash, createdAt, resolvedAt } = approval;
  const facts: [string, string | null][] = [
    ['approval', id],
    ['run', runId],
    ['gate', holdsResult(approval) ? gateKey : `${gateKey} (${kind})`],
    ['phase', phaseKey === null ? null : `${phaseKey}, attempt ${attempt}`],
    ['state', gateState(approval).word],
    ['lane', approval.laneId],
    ['assignment', approval.assignment],
    ['artifact hash', artifactHash],
    ['created', clock(createdAt, now)],
    ['decided', resolvedAt === null ? null : clock(resolvedAt, now)],
    ['timeout', approval.timeoutMs === null ? 'none' : counted(Math.round(approval.timeoutMs / 60_000), 'minute')],
    ['sessions', approval.sessionIds.join(' ') || null],
  ];
  const decisions = approval.decisions.flatMap(({ action, comment, decidedAt }) =>
    labelled('decision', `${action} at ${clock(decidedAt, now)}${comment ? `: ${comment}` : ''}`, columns, ABOUT_LABEL),
  );
  return [
    ...facts.flatMap(([name, value]) => (value === null ? [] : labelled(name, value, columns, ABOUT_LABEL))),
    ...decisions,
  ];
}
