import { gateFindingItems, openIssues } from '../../../schemas/findings/locatedFinding.ts';
import { gateFacts } from '../../../schemas/gates/gateKinds.ts';
import { gateWords } from '../../../schemas/gates/gateWords.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import type { Model } from '../../model/model.ts';
import { labelled } from '../../text/labelled.ts';
import { EMPTY, type Line, line, type Style, span, textOf, wrap } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { sessionIdOf } from './approvalQueries.ts';
import { bulletLines, consequenceLines } from './decisionLines.ts';

/** The failure of a recovery gate, the removals of a cleanup gate, or the question of an agent gate. */
export function problemLines(model: Model, approval: ApprovalDetail, columns: number): Line[] {
  const { subject } = approval;
  const text = (name: string) => (typeof subject[name] === 'string' ? (subject[name] as string) : undefined);
  const sentence = (name: string) => withLocalTimes(text(name) ?? null) ?? undefined;
  const say = (name: string, value: string | undefined, look?: Style) =>
    value === undefined ? [] : [...labelled(name, value, columns, 12, look), EMPTY];
  const files = Array.isArray(subject.files) ? subject.files.map(String) : [];
  const findings = [...openIssues(subject), ...gateFindingItems(subject)];
  return [
    ...say('error', text('code'), theme.bad),
    ...say('reason', sentence('reason')),
    ...say('last words', text('words')),
    ...say('hint', sentence('recoveryHint') ?? sentence('hint'), theme.warn),
    ...say('worktree', text('path')),
    ...files.map((file) => line(span('  • ', theme.accent), file)),
    ...bulletLines(findings, columns),
    ...(files.length + findings.length > 0 ? [EMPTY] : []),
    ...(approval.consequences
      ? consequenceLines(approval, columns)
      : wrap(gateWords(approval).next, columns, theme.muted)),
    ...outputLines(text('tail') ?? '', columns),
    ...(gateFacts(approval).showsAgent ? agentTail(model, sessionIdOf(approval)) : []),
  ];
}

/** The last words of a command that failed. */
function outputLines(tail: string, columns: number): Line[] {
  if (tail === '') return [];
  const bar = span('▏ ', theme.muted);
  const lines = wrap(tail, columns - 2);
  return [EMPTY, line(span('Last output', theme.title)), ...lines.slice(-MOST_LINES).map((each) => line(bar, ...each))];
}

const MOST_LINES = 20;
const LEAST_LINES = 5;
/** Rows for the problem itself. */
const PROBLEM_ROWS = 14;

/** The live last lines of an agent's pane: what it printed before it needed a person. */
function agentTail(model: Model, sessionId: string | undefined): Line[] {
  if (sessionId === undefined) return [];
  const seen = model.transcripts.get(sessionId);
  const lines = (seen?.lines ?? []).slice(0, seen?.count ?? 0);
  const end = lines.findLastIndex((each) => textOf(each).trim() !== '') + 1;
  const title = line(span("Last lines of the agent's pane", theme.title), span('  s shows all', theme.muted));
  if (end === 0) {
    const why = seen?.complete ? 'No output yet.' : 'Loading…';
    return [EMPTY, title, line(span(why, theme.muted))];
  }
  const rows = Math.max(LEAST_LINES, Math.min(MOST_LINES, bodySize(model).rows - PROBLEM_ROWS));
  const bar = span('▏ ', theme.muted);
  return [EMPTY, title, ...lines.slice(Math.max(0, end - rows), end).map((each) => line(bar, ...each))];
}
