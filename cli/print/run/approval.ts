import { gateAbout, gateWords } from '../../../schemas/gates/gateWords.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import { beginOf } from '../../../schemas/sheet/documentLine.ts';
import { allDocumentLines, type SheetLine, sheetLines } from '../../../schemas/sheet/sheetLines.ts';
import { documentsOf, sheetOf } from '../../../schemas/sheet/sheetOf.ts';
import { isBlocked } from '../../../schemas/states/command.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { widthOf } from '../../client/textWidth.ts';
import type { Io } from '../../io/io.ts';
import { paint, printFacts, printHeading } from '../output.ts';
import { patchLines } from '../patch.ts';
import { localTime, shortId, visible, wrapText } from '../text.ts';

/** The exit code of a command, or a word if it has none. */
export function commandExit(command: CommandView): number | string {
  if (command.exitCode !== null) return command.exitCode;
  if (command.endedAt === null) return '…';
  return isBlocked(command) ? 'blocked' : 'signal';
}

/** Prints everything that a person needs to decide a gate: its page, the patch, and how to decide. */
export function printApproval(io: Io, approval: ApprovalDetail): void {
  printFacts(io, [
    ['title', sheetOf(approval).runTitle || null],
    ['approval', approval.id],
    ['run', approval.runId],
    ['gate', `${approval.gateKey}${gateWords(approval).note}`],
    ['state', gateState(approval)],
    ['phase', approval.phaseKey && `${approval.phaseKey}, attempt ${approval.attempt}`],
    ['about', gateAbout(approval)],
    ['artifact hash', approval.artifactHash],
    ['created', localTime(approval.createdAt)],
    ...approval.decisions.map(
      ({ action, comment, decidedAt }) =>
        ['decided', `${action} at ${localTime(decidedAt)}${comment ? `: ${comment}` : ''}`] as const,
    ),
  ]);
  io.out('\n');
  printSheet(io, approval);
  if (approval.actions.length > 0) io.out(`\n${howToDecide(approval.id, approval.actions)}`);
}

/** Prints the documents of a gate as the agents wrote them. */
export function printDocuments(io: Io, approval: ApprovalDetail): void {
  const lines = allDocumentLines(sheetOf(approval), documentsOf(approval), { raw: true });
  io.out(
    shorter(
      lines.flatMap((line) => pageLine(io, line)),
      Number.POSITIVE_INFINITY,
      '',
    ),
  );
  if (lines.length === 0) io.out('The gate has no document.\n');
}

/** Prints the page of a gate, and the patch below it. `most`: the most lines of each. */
export function printSheet(io: Io, approval: ApprovalDetail, most = Number.POSITIVE_INFINITY): void {
  const sheet = sheetOf(approval);
  const lines = sheetLines(sheet, documentsOf(approval)).flatMap((line) => pageLine(io, line));
  io.out(shorter(lines, most, ''));
  const files = printedFiles(approval);
  if (files.length > 0) {
    printHeading(io, 'Output of the failed command');
    for (const path of files) io.out(`  ${visible(path)}\n`);
  }
  const { diff } = approval;
  if (diff && diff.patch.trim() !== '') {
    printHeading(io, 'Patch');
    io.out(shorter(patchLines(io, diff.patch), most));
  }
  if (diff?.truncated) {
    io.out(`  … the patch is longer; one file: devflow approval diff ${shortId(approval.id)} <path>\n`);
  }
}

/** The patch of one file. */
export function printFileDiff(io: Io, { path, patch, truncated, binary }: RpcResult<'approval.diff'>): void {
  for (const line of patchLines(io, patch)) io.out(`${line}\n`);
  if (binary) io.out(`${visible(path)} is binary.\n`);
  if (truncated) io.out('… the patch is longer; see the worktree\n');
}

/** The files with all that the last failed command printed. */
function printedFiles({ commands }: ApprovalDetail): string[] {
  const failed = commands.findLast(({ exitCode, endedAt }) => endedAt !== null && exitCode !== 0);
  return [failed?.stdoutPath, failed?.stderrPath].flatMap((path) => path ?? []);
}

const SHADES = { muted: 'dim', accent: 'cyan', good: 'green', warn: 'yellow', bad: 'red' } as const;

/** A line of the page on this terminal. Code is never wrapped, so that it can be copied. */
function pageLine(io: Io, line: SheetLine): string[] {
  const text = visible(line.text, 'code');
  if (line.as === 'heading') return [paint(io, 'bold', `${beginOf(line)}${text}`)];
  const shade = line.tone && SHADES[line.tone];
  const begin = visible(beginOf(line), 'code');
  const [first = '', ...rest] = line.as === 'code' ? [text] : wrapText(text, io.columns - widthOf(begin));
  const hang = ' '.repeat(Math.min(widthOf(begin), MOST_HANG));
  return [`${begin}${first}`, ...rest.map((each) => `${hang}${each}`)].map((each) => paint(io, shade, each.trimEnd()));
}

const MOST_HANG = 18;

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

function shorter(all: readonly string[], most: number, indent = '  '): string {
  const shown = all.slice(0, most).map((line) => `${line === '' ? '' : indent}${line}\n`);
  const rest = all.length - shown.length;
  return `${shown.join('')}${rest > 0 ? `${indent}… ${counted(rest, 'more line')}\n` : ''}`;
}
