import { visible } from '../../../../../schemas/visible.ts';
import type { Finding } from '../../run/reviewState.ts';
import { oneSpaced } from './oneSpaced.ts';

/** A finding in a line of a prompt. */
export function lineOf({ id, path, line, severity, summary }: Finding): string {
  return `${id} ${visible(path)}:${line} ${severity} ${oneSpaced(summary)}`;
}

/** What the next reader must know. Its words come from agents, so each stays on one line. */
export function detailsOf({ quote, failure, evidence, resolutions, history, anchor }: Finding): string[] {
  const answered = history.findLast(({ what }) => what === 'answered');
  return [
    `  quotes: ${oneSpaced(quote)}${anchor ? '' : ' (this text is not in the file)'}`,
    `  shows as: ${oneSpaced(failure)}`,
    ...evidence.map((each) => `  evidence: ${oneSpaced(each)}`),
    ...resolutions.map(({ by, status, reason }) => `  ${by} said ${status}: ${oneSpaced(reason)}`),
    ...(answered ? [`  ${answered.by} said ${oneSpaced(answered.note)}`] : []),
  ];
}
