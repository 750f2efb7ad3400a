import { findingGroups } from '../../../schemas/findings/findingGroups.ts';
import {
  backendsOf,
  deciderOf,
  findingTotals,
  notesOf,
  originalOf,
  placeOf,
} from '../../../schemas/findings/findingWords.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import { FINDING_SEVERITIES, FINDING_STATES } from '../../../schemas/states/findings.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { widthOf } from '../../client/textWidth.ts';
import type { Io } from '../../io/io.ts';
import { paint, paintState } from '../output.ts';
import { clip, visible, wrapText } from '../text.ts';

/** The width of the longest severity, and a gap. */
const INDENT = 'critical'.length + 2;

/**
 * All findings in groups: a line for each, then how it shows, its state, the verifier's reason and the evidence. Or the
 * sentence `none`. Then what to know of the review.
 */
export function printFindings(io: Io, { findings, notes }: Findings, none: string): void {
  if (findings.length === 0) io.out(`${none}\n`);
  else printGroups(io, findings);
  for (const note of notes) io.out(`${visible(note)}\n`);
}

type Findings = Pick<RpcResult<'run.findings'>, 'findings' | 'notes'>;

function printGroups(io: Io, findings: readonly FindingView[]): void {
  const width = Math.max(...findings.map((finding) => widthOf(visible(placeOf(finding)))));
  const groups = findingGroups(findings);
  for (const { title, findings: inGroup } of groups) {
    io.out(`${paint(io, 'bold', title)}\n`);
    for (const finding of inGroup) printFinding(io, finding, { findings, width });
    io.out('\n');
  }
  io.out(`${findingTotals(findings)}\n`);
}

interface Around {
  findings: readonly FindingView[];
  /** The width of the longest place. */
  width: number;
}

/** A place as wide as this leaves too little room for the summary. */
const WIDEST_PLACE = 32;

function printFinding(io: Io, finding: FindingView, { findings, width }: Around): void {
  const severity = stateOf(FINDING_SEVERITIES, finding.severity);
  const place = visible(placeOf(finding));
  const gap = ' '.repeat(Math.max(0, Math.min(width, WIDEST_PLACE) - widthOf(place)) + 2);
  const text = clip(`${place}${gap}${visible(finding.summary)}`, Math.max(20, io.columns - INDENT));
  io.out(`${paintState(io, severity, severity.word.padEnd(INDENT))}${text}\n`);
  if (finding.failure !== '') print(io, `failure: ${finding.failure}`);
  const state = stateOf(FINDING_STATES, finding.state);
  const original = originalOf(finding, findings);
  const seen = [
    ...notesOf(finding),
    ...(original === null ? [] : [`the same as ${original}`]),
    `found by ${backendsOf(finding).join(', ')}`,
  ];
  print(io, `${state.word}, ${seen.join(', ')}`, `${paintState(io, state)}, ${visible(seen.join(', '))}`);
  if (finding.resolution) print(io, `${deciderOf(finding.resolution)}: ${finding.resolution.reason}`);
  for (const each of finding.evidence) print(io, `evidence: ${each}`);
}

/** Prints a text below its finding. `painted`: the same text in colours, shown if it fits on one line. */
function print(io: Io, text: string, painted?: string): void {
  const lines = wrapText(visible(text), io.columns - INDENT);
  const shown = lines.length === 1 && painted !== undefined ? [painted] : lines;
  for (const line of shown) io.out(`${' '.repeat(INDENT)}${line}\n`);
}
