import { deciderOf, historyWords, notesOf, originalOf, placeOf } from '../../../schemas/findings/findingWords.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import { FINDING_SEVERITIES, FINDING_STATES } from '../../../schemas/states/findings.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { labelled } from '../../text/labelled.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { fact } from '../../text/runWords.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';

const LABEL = 12;

/** All that is known of a finding; `all` has the one that it duplicates. */
export function findingLines(finding: FindingView, all: readonly FindingView[], width: number): Line[] {
  const { severity, state, category, symbol, summary, failure, quote, reproduce, evidence } = finding;
  const shown = stateOf(FINDING_STATES, state);
  const notes = notesOf(finding);
  const about = (label: string, text: string | null | undefined) => (text ? labelled(label, text, width, LABEL) : []);
  return [
    ...wrap(summary, width, theme.title),
    EMPTY,
    ...fact('severity', line(stateSpan(stateOf(FINDING_SEVERITIES, severity)), span(`  ${category}`, theme.muted))),
    ...fact('state', line(stateSpan(shown), span(`  ${[shown.means, ...notes].join('; ')}`, theme.muted))),
    ...about('place', symbol === null ? placeOf(finding) : `${placeOf(finding)}, ${symbol}`),
    ...about('same as', originalOf(finding, all)),
    ...about('failure', failure),
    ...about('reproduce', reproduce?.map(shellWord).join(' ')),
    ...part('Quote', code(quote, width)),
    ...part(
      'Evidence',
      evidence.flatMap((each) => labelled('- ', each, width, 2)),
    ),
    ...part('Found by', reporterLines(finding, width)),
    ...part('Resolution', resolutionLines(finding, width)),
    ...part('History', historyLines(finding, width)),
  ];
}

function part(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : [EMPTY, line(span(title, theme.title)), ...lines];
}

/** Lines of a file, with a bar in front. */
function code(text: string, columns: number): Line[] {
  if (text === '') return [];
  return wrap(text, Math.max(1, columns - 2)).map((each) => line(span('│ ', theme.muted), ...each));
}

function reporterLines({ reporters }: FindingView, columns: number): Line[] {
  return reporters.flatMap(({ backend, roleId, round, severity, summary }) => {
    const rated = stateOf(FINDING_SEVERITIES, severity).word;
    return labelled(backend, `round ${round}, ${roleId}, ${rated}: ${summary}`, columns, LABEL);
  });
}

function resolutionLines({ resolution }: FindingView, columns: number): Line[] {
  if (!resolution) return [];
  const { reason, quote } = resolution;
  const by = deciderOf(resolution);
  return [
    ...wrap(reason === '' ? by : `${by}: ${reason}`, columns),
    ...(quote ? [line(span(placeOf(quote), theme.muted)), ...code(quote.text, columns)] : []),
  ];
}

function historyLines({ history }: FindingView, columns: number): Line[] {
  return history.flatMap(({ round, what, by, note }) => {
    const text = `${historyWords({ what, by })}${note === '' ? '' : `: ${note}`}`;
    return labelled(`round ${round}`, text, columns, LABEL);
  });
}
