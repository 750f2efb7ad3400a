import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { ArtifactContent } from '../../../schemas/rpc/views/artifact.ts';
import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import {
  allDocumentLines,
  partLines,
  questionLines,
  type SheetLine,
  sheetParts,
} from '../../../schemas/sheet/sheetLines.ts';
import { documentOf, documentsOf, sheetOf } from '../../../schemas/sheet/sheetOf.ts';
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
import { codeDiffLines, textDiffLines } from '../../widgets/diff.ts';
import { documentWords, pageText } from '../../widgets/pageText.ts';
import { agentTail } from './agentTail.ts';
import { invalidArtifact, previousOf } from './approvalQueries.ts';
import { answersAt, hasAnswers } from './comments/answerLines.ts';
import type { ShownDiff } from './comments/shownDiff.ts';
import { codeSpots, documentSpot, type Spot } from './comments/spots.ts';
import { takesComments } from './comments/takesComments.ts';
import { diffOf } from './diffOf.ts';

/** One section of a gate. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  /** Code: long lines are cut and scroll sideways instead of wrapping. */
  readonly long?: true;
  lines(columns: number, raw: boolean): readonly Line[];
  /** What a comment on each of these lines is about. Absent: nobody comments on them. */
  spots?(columns: number, raw: boolean): readonly (Spot | undefined)[];
}

/** The sections of a gate, its page first. The others show parts of it in full. */
export function sectionsOf(model: Model, approval: ApprovalDetail): Section[] {
  const { artifacts, commands, comments = [] } = approval;
  const diff = diffOf(model, approval);
  const answers: Section[] = comments.length === 0 ? [] : [answersSection(approval, comments.length)];
  const isFirst = hasAnswers(approval);
  const sections: Section[] = [
    ...(isFirst ? answers : []),
    {
      id: 'sheet',
      title: 'Sheet',
      lines: (columns, raw) => [...sheetText(approval, manner(columns, raw)), ...agentTail(model, approval)],
    },
  ];
  if (!isFirst) sections.push(...answers);
  if (diff)
    sections.push({
      id: 'code',
      title: 'Changes',
      count: diff.files.length,
      long: true,
      lines: () => codeLines(diff, takesComments(approval) ? ENTER_READS : COMMAND_READS),
      spots: () => spotsOfCode(diff),
    });
  const invalid = invalidArtifact(model, approval);
  if (invalid) {
    const lines = (columns: number, raw: boolean) => invalidLines(invalid, manner(columns, raw));
    sections.push({ id: 'artifact', title: 'Invalid artifact', lines });
  }
  if (artifacts.length > 0) {
    const lines = (columns: number, raw: boolean) => documentLines(approval, manner(columns, raw));
    const spots = (columns: number, raw: boolean) => spotsOfDocuments(approval, manner(columns, raw));
    sections.push({ id: 'artifact', title: 'Documents', count: artifacts.length, lines, spots });
  }
  const pairs = artifacts.flatMap((artifact) => {
    const before = previousOf(model, approval, artifact);
    return before ? [{ artifact, before }] : [];
  });
  const since = pairs[0]?.before.attempt;
  if (since !== undefined) {
    const lines = (columns: number) => pairs.flatMap(({ artifact, before }) => changesLines(artifact, before, columns));
    const isEdited = pairs.some(({ artifact }) => artifact.edited);
    sections.push({ id: 'since', title: isEdited ? 'Your edits' : `Since attempt ${since}`, lines });
  }
  if (commands.length > 0) {
    const lines = (columns: number) => commands.flatMap((each) => commandLines(each, columns, model.now));
    sections.push({ id: 'commands', title: 'Output', count: commands.length, lines });
  }
  sections.push({ id: 'about', title: 'About', lines: (columns) => aboutLines(approval, columns, model.now) });
  return sections;
}

const ENTER_READS = 'The patch is cut off. Enter on a file of the list reads all of it.';
const COMMAND_READS = 'The patch is cut off. devflow approval diff <gate> <path> shows one file in full.';
const codeLines = memoize((diff: ShownDiff, note: string) => codeDiffLines(diff, note));
const spotsOfCode = memoize(codeSpots);

/** The id of the section with the comments of earlier gates. */
export const ANSWERS = 'answers';

function answersSection(approval: ApprovalDetail, count: number): Section {
  return {
    id: ANSWERS,
    title: 'Answers',
    count,
    lines: (columns) => answersAt(approval, String(columns)).lines,
    spots: (columns) => answersAt(approval, String(columns)).spots,
  };
}

/** Rows of the question in the head. */
export const HEAD_ROWS = 2;

/** The memo key: the width, and whether to show artifacts as written. */
function manner(columns: number, raw: boolean): string {
  return `${columns} ${raw ? 'raw' : ''}`;
}

function mannerOf(how: string): [columns: number, raw: boolean] {
  const [columns, raw] = how.split(' ');
  return [Number(columns), raw === 'raw'];
}

/** The page without its question, which the head shows, unless the head has no room for all of it. */
const sheetText = memoize((approval: ApprovalDetail, how) => {
  const [columns, raw] = mannerOf(how);
  const sheet = sheetOf(approval);
  const question = pageText(questionLines(sheet), columns);
  const parts = sheetParts(sheet, documentsOf(approval), { raw }).flatMap(partLines);
  const [first, ...others] = pageText(parts, columns);
  if (question.length > HEAD_ROWS) return [...question, ...(first ? [first] : []), ...others];
  return first === undefined || first === EMPTY ? others : [first, ...others];
});

const documentLines = memoize((approval: ApprovalDetail, how) => {
  const [columns] = mannerOf(how);
  return pageText(pageOfDocuments(approval, how), columns);
});

function pageOfDocuments(approval: ApprovalDetail, how: string): SheetLine[] {
  const [, raw] = mannerOf(how);
  return allDocumentLines(sheetOf(approval), documentsOf(approval), { raw });
}

/** A line that is wrapped has its spot on each of its rows. */
const spotsOfDocuments = memoize((approval: ApprovalDetail, how) => {
  const [columns] = mannerOf(how);
  return pageOfDocuments(approval, how).flatMap((each) => {
    const spot = documentSpot(each, approval.artifacts);
    return pageText([each], columns).map(() => spot);
  });
});

const invalidLines = memoize((artifact: ArtifactContent, how) => {
  const [columns, raw] = mannerOf(how);
  const { artifactId, schema, path, hash } = artifact;
  const documents = [{ artifactId, schema, path, hash, edited: artifact.edited ?? false, isSaid: false }];
  return pageText(allDocumentLines({ documents }, [documentOf(artifact)], { raw }), columns);
});

const wordsOf = memoize(({ content, schema }: ArtifactContent) => documentWords(content ?? '', schema));
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
