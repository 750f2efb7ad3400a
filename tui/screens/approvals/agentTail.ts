import { gateFacts } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Model } from '../../model/model.ts';
import { EMPTY, type Line, line, span, textOf } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { sessionIdOf } from './approvalQueries.ts';

const MOST_LINES = 20;
const LEAST_LINES = 5;
/** Rows for the page above. */
const PAGE_ROWS = 14;

/** The live last lines of an agent's pane: what it printed before it needed a person. Empty at other gates. */
export function agentTail(model: Model, approval: ApprovalDetail): Line[] {
  const sessionId = gateFacts(approval).showsAgent ? sessionIdOf(approval) : undefined;
  if (sessionId === undefined) return [];
  const seen = model.transcripts.get(sessionId);
  const lines = (seen?.lines ?? []).slice(0, seen?.count ?? 0);
  const end = lines.findLastIndex((each) => textOf(each).trim() !== '') + 1;
  const title = line(span("Last lines of the agent's pane", theme.title), span('  s shows all', theme.muted));
  if (end === 0) {
    const why = seen?.complete ? 'No output yet.' : 'Loading…';
    return [EMPTY, title, line(span(why, theme.muted))];
  }
  const rows = Math.max(LEAST_LINES, Math.min(MOST_LINES, bodySize(model).rows - PAGE_ROWS));
  const bar = span('▏ ', theme.muted);
  return [EMPTY, title, ...lines.slice(Math.max(0, end - rows), end).map((each) => line(bar, ...each))];
}
