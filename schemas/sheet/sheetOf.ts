import { findingSentence } from '../findings/locatedFinding.ts';
import { gateWords } from '../gates/gateWords.ts';
import { notDoneIn, notDoneWords } from '../kinds/lanes/notDone.ts';
import type { ApprovalDetail } from '../rpc/views/approval.ts';
import type { Alarm, Sheet } from '../rpc/views/sheet.ts';
import { uncommittedNote } from '../worktreeState.ts';
import { aboutOf } from './aboutOf.ts';
import type { SheetDocument } from './sheetLines.ts';

/** The page of a gate. A daemon of an older version sends none; then the page has what its answer says. */
export function sheetOf(approval: ApprovalDetail): Sheet {
  return approval.sheet ?? olderSheet(approval);
}

function olderSheet(approval: ApprovalDetail): Sheet {
  const { question, actions, consequences = {}, artifacts, commands, diff, measured = [] } = approval;
  const { next } = gateWords(approval);
  const sentences = actions.flatMap((action) => {
    const sentence = consequences[action];
    return sentence === undefined ? [] : [{ action, sentence }];
  });
  const about = aboutOf(approval, question);
  return {
    shown: '',
    runTitle: approval.runTitle ?? '',
    decides: question,
    leadsTo: sentences,
    alarms: alarmsOf(approval),
    about:
      sentences.length === 0 && next !== '' && !about.some(({ text }) => text === next)
        ? [...about, { name: 'next', text: next }]
        : about,
    asked: { requirements: '', changes: null },
    comments: approval.comments ?? [],
    said: [],
    checks: commands.map(({ argv, exitCode, reason, startedAt, endedAt }) => ({
      argv,
      exitCode,
      reason,
      tail: null,
      ms: startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
      laneId: null,
    })),
    review: null,
    measured,
    walk: [],
    change: diff && { base: diff.base, head: diff.head, files: diff.files, more: 0, ...sumOf(diff.files) },
    documents: artifacts.map(({ artifactId, schema, path, hash }) => ({
      artifactId,
      schema,
      path,
      hash,
      edited: false,
      isSaid: false,
    })),
  };
}

function sumOf(files: readonly { insertions: number; deletions: number }[]) {
  return {
    insertions: files.reduce((sum, { insertions }) => sum + insertions, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
  };
}

function alarmsOf({ moved, uncommittedFiles, nestedRepositories: nested, subject }: ApprovalDetail): Alarm[] {
  return [
    ...(moved ? [{ code: 'moved' as const, sentence: moved }] : []),
    ...(uncommittedFiles ? [{ code: 'uncommitted' as const, sentence: uncommittedNote(uncommittedFiles) }] : []),
    ...(nested
      ? [{ code: 'nested' as const, sentence: `Git repositories left out of the commit: ${nested.join(', ')}` }]
      : []),
    ...notDoneIn(subject).map((task) => ({ code: 'not_done' as const, sentence: `Not done: ${notDoneWords(task)}` })),
  ];
}

/** The texts of a gate's artifacts, for its page. */
export function documentsOf({ artifacts }: Pick<ApprovalDetail, 'artifacts'>): SheetDocument[] {
  return artifacts.map(documentOf);
}

export function documentOf({
  artifactId,
  content,
  truncated,
  fault,
  errors,
}: ApprovalDetail['artifacts'][number]): SheetDocument {
  return { artifactId, content, truncated, fault, errors: errors.map(faultWords) };
}

/** An error in a document of a contract has a code, and often a line. */
function faultWords(fault: ApprovalDetail['artifacts'][number]['errors'][number]): string {
  return findingSentence(fault.code === undefined ? { ...fault, path: fault.path || '(whole)' } : fault);
}
