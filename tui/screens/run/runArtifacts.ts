import type { ArtifactView } from '../../../schemas/rpc/views/artifact.ts';
import { screenState } from '../../model/place.ts';
import { type Line, line, span } from '../../text/line.ts';
import { baseName } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { shortClock } from '../../text/time.ts';
import { type ColumnWidth, columnWidths, joinCells } from '../../widgets/columnWidths.ts';
import { createList, LIST_START, type ListState } from '../../widgets/list.ts';
import { targetsOfArtifact } from '../targets/targetsOf.ts';
import { listSection, type RunSection } from './runSection.ts';
import { shownRun } from './shownRun.ts';

const list = createList<ArtifactView>({
  name: 'run.artifacts',
  state: screenState<ListState>('run artifacts', LIST_START),
  items: (model) => shownRun(model)?.artifacts ?? [],
  keyOf: ({ artifactId }) => artifactId,
  headless: true,
  columns: [
    { title: 'valid', text: ({ valid, errors }) => (valid ? 'valid' : `invalid: ${errors.length}`) },
    { title: 'schema', text: ({ schema }) => schema },
    { title: 'phase', text: ({ phaseKey, attempt }) => `${phaseKey ?? ''}${attempt > 1 ? ` #${attempt}` : ''}` },
    {
      title: 'created',
      text: ({ createdAt }, { now }) => shortClock(createdAt, now),
      order: ({ createdAt }) => Date.parse(createdAt),
    },
    {
      title: 'file',
      text: ({ path, errors: [first] }) => (first ? `${first.path || '/'} ${first.message}` : baseName(path)),
    },
  ],
  also: ({ path, artifactId, roleId }) => `${path} ${artifactId} ${roleId}`,
});

/** Every artifact that devflow validated, with the result. */
export const artifacts: RunSection = {
  id: 'artifacts',
  title: 'Artifacts',
  count: (run) => run.artifacts.length,
  ...listSection(list, 'artifact', ({ artifactId }) => artifactId),
  view: (model, _run, size) =>
    list.view(model, size, (each, columns) => row(each, model.now, columns), 'No artifacts yet.'),
  targets: (model) => targetsOfArtifact(list.selected(model)),
};

/** In the order of the columns. The file, or its first error, matters most. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 9, ideal: 12, priority: 10 },
  { min: 20, ideal: 30, priority: 8 },
  { min: 11, ideal: 28, priority: 7 },
  { min: 14, ideal: 14, priority: 5 },
  { min: 16, ideal: 40, priority: 9, grows: true },
];

function row(artifact: ArtifactView, now: number, columns: number): Line {
  const { valid, schema, phaseKey, attempt, path, errors, createdAt } = artifact;
  const [first] = errors;
  return joinCells(
    [
      line(valid ? span('✓ valid', theme.good) : span(`✗ invalid: ${errors.length}`, theme.bad)),
      line(schema),
      line(phaseKey ?? '', attempt > 1 && span(` #${attempt}`, theme.muted)),
      line(span(shortClock(createdAt, now), theme.muted)),
      line(first ? span(`${first.path || '/'} ${first.message}`, theme.bad) : span(baseName(path), theme.muted)),
    ],
    columnWidths(WIDTHS, columns),
  );
}
