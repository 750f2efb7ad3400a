import { oneSpaced } from '../../../../schemas/text/phrases.ts';
import { visible } from '../../../../schemas/text/visible.ts';
import { comparesClaims } from '../../../core/run/behaviour.ts';
import type { Run } from '../../../core/run/state.ts';
import type { Finding } from '../state.ts';

/** A finding in a line of a prompt. */
export function lineOf({ id, path, line, severity, summary, anchor }: Finding): string {
  return `${id} ${visible(path)}:${line} ${severity} ${oneSpaced(summary)}${anchor?.removed ? ' (removed line)' : ''}`;
}

/** Facts that the next reader must know. Their words come from agents, so each stays on one line. */
export function detailsOf(run: Run, finding: Finding): string[] {
  const { quote, failure, evidence, resolutions, history } = finding;
  const answered = history.findLast(({ what }) => what === 'answered');
  return [
    `  quotes: ${oneSpaced(quote)}${whereOf(finding)}`,
    `  shows as: ${oneSpaced(failure)}`,
    ...evidence.map((each) => `  evidence: ${oneSpaced(each)}`),
    ...(comparesClaims(run) ? otherClaims(finding) : []),
    ...resolutions.map(({ by, status, reason }) => `  ${by} said ${status}: ${oneSpaced(reason)}`),
    ...(answered ? [`  ${answered.by} said ${oneSpaced(answered.note)}`] : []),
  ];
}

/** The same claim in the words of others: a verifier may have joined their reports. */
function otherClaims({ summary, reporters }: Finding): string[] {
  const others = new Map(reporters.map((each) => [oneSpaced(each.summary), each.roleId]));
  others.delete(oneSpaced(summary));
  return [...others].map(([claim, roleId]) => `  also reported as: ${claim} (${roleId})`);
}

function whereOf({ anchor }: Finding): string {
  if (!anchor) return ' (this text is not in the file)';
  return anchor.removed ? ` (removed; it was ${visible(anchor.removed.path)}:${anchor.removed.line})` : '';
}
