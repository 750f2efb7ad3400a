import { CONTRACTS } from '../../../schemas/contracts/report/codes.ts';
import { findingSentence } from '../../../schemas/findings/locatedFinding.ts';
import type { ArtifactView } from '../../../schemas/rpc/views/artifact.ts';
import type { LocatedFinding } from '../../../schemas/rpc/views/findings.ts';
import type { PublishedHandover, RunDetail } from '../../../schemas/rpc/views/run.ts';
import { CONTRACT_VERDICTS, type ContractVerdict, handoverVerdict } from '../../../schemas/states/contracts.ts';
import { screenState } from '../../model/place.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { baseName, fact } from '../../text/runWords.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { type ColumnWidth, columnWidths, joinCells } from '../../widgets/columnWidths.ts';
import { createList, LIST_START, type ListState } from '../../widgets/list.ts';
import { filesRoot, targetsOfFile } from '../targets/targetsOf.ts';
import { listSection, type RunSection } from './runSection.ts';
import { shownRun } from './shownRun.ts';

/** A published artifact, or a newer one that is not valid and was therefore not published. */
export interface Handover {
  readonly key: string;
  readonly verdict: ContractVerdict;
  readonly phaseKey: string;
  readonly contract: string;
  readonly path: string;
  /** Null if devflow published nothing. */
  readonly sha256: string | null;
  readonly findings: readonly LocatedFinding[];
}

const NONE: readonly Handover[] = [];

const handoversIn = memoize((run: RunDetail): readonly Handover[] => [
  ...(run.handovers ?? []).map(publishedOf),
  ...run.artifacts.filter((artifact) => isRefused(artifact, run.artifacts)).map(refusedOf),
]);

function publishedOf(handover: PublishedHandover): Handover {
  const { phaseKey, contract, path, sha256, warnings } = handover;
  const verdict = handoverVerdict(handover);
  return { key: `${contract} ${path} ${sha256}`, verdict, phaseKey, contract, path, sha256, findings: warnings };
}

/** True for an invalid file of a contract that no later file of its phase has replaced. */
function isRefused(artifact: ArtifactView, all: readonly ArtifactView[]): boolean {
  const isSame = (other: ArtifactView) => other.schema === artifact.schema && other.phaseKey === artifact.phaseKey;
  return !artifact.valid && CONTRACTS.some(({ id }) => id === artifact.schema) && all.findLast(isSame) === artifact;
}

function refusedOf({ artifactId, phaseKey, schema, path, errors }: ArtifactView): Handover {
  const findings = errors.map((error) => ({ ...error, path: error.path === '' ? baseName(path) : error.path }));
  const contract = schema;
  return { key: artifactId, verdict: 'invalid', phaseKey: phaseKey ?? '', contract, path, sha256: null, findings };
}

export function handoverOf(run: RunDetail | undefined, key: string): Handover | undefined {
  return run && handoversIn(run).find((each) => each.key === key);
}

const list = createList<Handover>({
  name: 'run.handovers',
  state: screenState<ListState>('run handovers', LIST_START),
  items(model) {
    const run = shownRun(model);
    return run ? handoversIn(run) : NONE;
  },
  keyOf: ({ key }) => key,
  headless: true,
  columns: [
    { title: 'verdict', text: ({ verdict }) => CONTRACT_VERDICTS[verdict].word },
    { title: 'phase', text: ({ phaseKey }) => phaseKey },
    { title: 'contract', text: ({ contract }) => contract },
    { title: 'file', text: ({ path, findings: [first] }) => (first ? findingSentence(first) : path) },
  ],
  also: ({ path, findings }) => [path, ...findings.map(findingSentence)].join(' '),
});

/** The artifacts that devflow put where their contract expects them. */
export const handovers: RunSection = {
  id: 'handovers',
  title: 'Handovers',
  exists: (run) => run.handovers !== undefined,
  count: (run) => handoversIn(run).length,
  ...listSection(list, 'handover', ({ key }) => key),
  view: (model, _run, size) => list.view(model, size, row, 'No handovers yet.'),
  targets: (model, run) => targetsOfHandover(list.selected(model), run),
};

/** A refused file is in the artifact directory and has an absolute path. */
export function targetsOfHandover(handover: Handover | undefined, run: RunDetail | undefined) {
  return targetsOfFile(handover?.path, handover?.sha256 === null || !run ? undefined : filesRoot(run));
}

/** In the order of the columns. The file, or its first finding, matters most. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 10, ideal: 10, priority: 10 },
  { min: 8, ideal: 14, priority: 6 },
  { min: 16, ideal: 26, priority: 9 },
  { min: 16, ideal: 40, priority: 8, grows: true },
];

function row({ verdict, phaseKey, contract, path, findings }: Handover, columns: number): Line {
  const [first] = findings;
  const more = findings.length > 1 ? ` (+${findings.length - 1})` : '';
  return joinCells(
    [
      line(stateSpan(CONTRACT_VERDICTS[verdict])),
      line(phaseKey),
      line(contract),
      line(first ? span(`${findingSentence(first)}${more}`, lookOf(verdict)) : span(path, theme.muted)),
    ],
    columnWidths(WIDTHS, columns),
  );
}

/** A handover in full, with all its findings. */
export function handoverLines({ verdict, phaseKey, contract, path, sha256, findings }: Handover, columns: number) {
  const state = CONTRACT_VERDICTS[verdict];
  return [
    ...fact('verdict', line(stateSpan(state), span(`  ${state.means}`, theme.muted))),
    ...fact('contract', contract),
    ...fact('phase', phaseKey),
    ...fact('file', path),
    ...fact('SHA-256', sha256),
    EMPTY,
    ...(findings.length === 0
      ? [line(span('No findings.', theme.muted))]
      : findings.flatMap((each) => wrap(findingSentence(each), columns, lookOf(verdict)))),
  ];
}

function lookOf(verdict: ContractVerdict) {
  return verdict === 'invalid' ? theme.bad : theme.warn;
}
