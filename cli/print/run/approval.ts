import { findingSentence, gateFindingItems, openIssues } from '../../../schemas/findings/locatedFinding.ts';
import { gateAbout, gateWords } from '../../../schemas/gates/gateWords.ts';
import { reviewGateItems } from '../../../schemas/gates/reviewGate.ts';
import { notDoneIn, notDoneWords } from '../../../schemas/kinds/lanes/notDone.ts';
import { probePlanLines } from '../../../schemas/kinds/step/probePlan.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import { isBlocked } from '../../../schemas/states/command.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { uncommittedNote } from '../../../schemas/worktreeState.ts';
import type { Io } from '../../io/io.ts';
import { paint, printFacts, printHeading, printTable } from '../output.ts';
import { patchLines } from '../patch.ts';
import { localTime, shortId, visible } from '../text.ts';
import { printComments } from './comments.ts';

/** The exit code of a command, or a word if it has none. */
export function commandExit(command: CommandView): number | string {
  if (command.exitCode !== null) return command.exitCode;
  if (command.endedAt === null) return '…';
  return isBlocked(command) ? 'blocked' : 'signal';
}

/** Prints everything that a person needs to decide a gate. */
export function printApproval(io: Io, approval: ApprovalDetail): void {
  // A block such as the shared question of a session boundary keeps its lines.
  const [question = '', ...block] = withLocalTimes(approval.question).split('\n');
  printFacts(io, [
    ['approval', approval.id],
    ['run', approval.runId],
    ['gate', `${approval.gateKey}${gateWords(approval).note}`],
    ['state', gateState(approval)],
    ['question', block.length === 0 ? question : null],
    ['phase', approval.phaseKey && `${approval.phaseKey}, attempt ${approval.attempt}`],
    ['about', gateAbout(approval)],
    ['artifact hash', approval.artifactHash],
    ['created', localTime(approval.createdAt)],
    ...approval.decisions.map(
      ({ action, comment, decidedAt }) =>
        ['decided', `${action} at ${localTime(decidedAt)}${comment ? `: ${comment}` : ''}`] as const,
    ),
    ...(approval.refused ?? []).map(
      ({ sessionId, roleId, action, at }) =>
        [
          'refused',
          `${action ?? 'a decision'} at ${localTime(at)}, tried by the agent of ${roleId ?? 'session'} (${shortId(sessionId)})`,
        ] as const,
    ),
    ...recoveryFacts(approval),
    ...consequenceFacts(approval),
  ]);
  if (block.length > 0) {
    printHeading(io, 'Question');
    io.out(`${visible([question, ...block].join('\n'), 'text')}\n`);
  }
  printSubject(io, approval);
  if (approval.actions.length > 0) io.out(`\n${howToDecide(approval.id, approval.actions)}`);
}

/** Prints what a person decides about: artifacts, commands, changes. */
export function printSubject(io: Io, approval: ApprovalDetail, lines = Number.POSITIVE_INFINITY): void {
  const items = reviewGateItems(approval.subject);
  if (items.length > 0) {
    printHeading(io, 'Review');
    for (const item of items) io.out(`  ${visible(item)}\n`);
  }
  const notDone = notDoneIn(approval.subject);
  if (notDone.length > 0) {
    printHeading(io, 'Not done');
    for (const task of notDone) io.out(`  ${visible(notDoneWords(task))}\n`);
  }
  const probes = probePlanLines(approval.subject);
  if (probes.length > 0) {
    printHeading(io, 'Commands of the repository');
    io.out(
      shorter(
        probes.map((each) => visible(each, 'code')),
        lines,
      ),
    );
  }
  for (const [title, items] of [
    ['Open issues', openIssues(approval.subject)],
    ['Findings', gateFindingItems(approval.subject)],
  ] as const) {
    if (items.length === 0) continue;
    printHeading(io, title);
    const all = items.map((each) => visible(each));
    io.out(shorter(all, lines));
  }
  printComments(io, approval.comments);
  if (approval.measured) {
    printHeading(io, 'Measured');
    for (const text of approval.measured) io.out(`  ${visible(text)}\n`);
  }
  for (const artifact of approval.artifacts) {
    printHeading(io, `${artifact.schema}  ${artifact.path}`);
    io.out(indented(artifact.content ?? `(${artifact.fault ?? 'the file is gone'})`, lines));
    for (const error of artifact.errors) io.out(`  ${paint(io, 'red', visible(findingSentence(error)))}\n`);
  }
  if (approval.commands.length > 0) {
    printHeading(io, 'Commands');
    printTable(
      io,
      approval.commands,
      [
        { title: 'EXIT', cell: commandExit, align: 'right' },
        { title: 'COMMAND', cell: (command) => command.argv.join(' '), whole: true },
      ],
      '',
    );
    for (const { exitCode, reason } of approval.commands) {
      if (exitCode === null && reason !== null) io.out(`  ${paint(io, 'red', visible(reason))}\n`);
    }
    const failed = approval.commands.findLast(({ exitCode, endedAt }) => endedAt !== null && exitCode !== 0);
    for (const path of [failed?.stdoutPath, failed?.stderrPath]) {
      if (path) io.out(`  ${visible(path)}\n`);
    }
  }
  const { tail } = approval.subject;
  if (typeof tail === 'string' && tail !== '') {
    printHeading(io, 'Last output');
    io.out(indented(tail, lines));
  }
  if (approval.diff) printDiff(io, approval.diff, lines);
  const { uncommittedFiles: count, nestedRepositories: nested, moved } = approval;
  if (moved) io.out(`\n${paint(io, 'yellow', visible(moved))}\n`);
  if (nested) {
    io.out(`\n${paint(io, 'yellow', 'Git repositories in the worktree, left out of the commit:')}\n`);
    for (const path of nested) io.out(`  ${visible(path)}\n`);
    io.out('  To commit their files, request changes: the agent must remove the .git of each.\n');
  }
  if (count) {
    io.out(`\n${paint(io, 'yellow', uncommittedNote(count))}\n`);
  }
}

function printDiff(io: Io, diff: NonNullable<ApprovalDetail['diff']>, lines: number): void {
  printHeading(io, `Changes from ${diff.base.slice(0, 12)} to ${diff.head.slice(0, 12)}`);
  for (const file of diff.files) io.out(`  ${visible(file.path)}  +${file.insertions} -${file.deletions}\n`);
  if (diff.files.length === 0) io.out('  no changed files\n');
  if (diff.patch.trim() !== '') io.out(`\n${shorter(patchLines(io, diff.patch), lines)}`);
  if (diff.truncated) io.out('  … the patch is longer; see the worktree\n');
}

/** The consequence of each decision that is possible now. */
function consequenceFacts({ consequences = {}, actions }: ApprovalDetail): [string, string][] {
  return actions.flatMap((action): [string, string][] => {
    const sentence = consequences[action];
    return sentence === undefined ? [] : [[`to ${action.replace('_', ' ')}`, sentence]];
  });
}

/** The facts of a recovery gate: what went wrong, and what to do. */
function recoveryFacts({ subject, question }: ApprovalDetail): [string, string][] {
  const facts: [string, unknown][] = [
    ...['code', 'error', 'reason'].map((name): [string, unknown] => [name, subject[name]]),
    ['hint', subject.recoveryHint ?? subject.hint],
  ];
  return facts.flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !question.includes(value) ? [[name, withLocalTimes(value)]] : [],
  );
}

/** The commands that decide a gate, to copy. */
export function howToDecide(id: string, actions: readonly string[] = ['approve', 'request_changes', 'reject']): string {
  const names: Record<string, string> = {
    approve: `devflow approval approve ${shortId(id)}`,
    request_changes: `devflow approval request-changes ${shortId(id)} --comment "…"`,
    reject: `devflow approval reject ${shortId(id)}`,
    abort: `devflow approval abort ${shortId(id)}`,
  };
  const lines = Object.entries(names).flatMap(([action, line]) => (actions.includes(action) ? [`  ${line}\n`] : []));
  return `${actions.some((action) => action === 'approve' || action === 'request_changes') ? 'Decide' : 'End the run'} with\n${lines.join('')}`;
}

function indented(text: string, lines: number): string {
  return shorter(visible(text.replace(/\n$/, ''), 'code').split('\n'), lines);
}

function shorter(all: readonly string[], lines: number): string {
  const shown = all.slice(0, lines).map((line) => `  ${line}\n`);
  const rest = all.length - shown.length;
  return `${shown.join('')}${rest > 0 ? `  … ${counted(rest, 'more line')}\n` : ''}`;
}
