import type { ArtifactView } from '../../../schemas/rpc/views/artifact.ts';
import { screenState } from '../../model/state.ts';
import { step } from '../../model/step.ts';
import { shortClock } from '../../text/age.ts';
import { type Line, line, span } from '../../text/line.ts';
import { baseName } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { beside, layOut, type Width } from '../../widgets/layOut.ts';
import { createList, LIST_START, type ListState } from '../../widgets/list.ts';
import { artifactThings } from '../runThings.ts';
import { runHere, runState } from './runHere.ts';
import type { RunSection } from './runSection.ts';

const list = createList<ArtifactView>({
  name: 'run.artifacts',
  state: screenState<ListState>('run artifacts', LIST_START),
  items: (model) => runHere(model)?.artifacts ?? [],
  keyOf: ({ artifactId }) => artifactId,
  headless: true,
  columns: [
    { title: 'verdict', text: ({ valid, errors }) => (valid ? 'valid' : `invalid: ${errors.length}`) },
    { title: 'schema', text: ({ schema }) => schema },
    { title: 'phase', text: ({ phaseKey, attempt }) => `${phaseKey ?? ''}${attempt > 1 ? ` #${attempt}` : ''}` },
    {
      title: 'time',
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

/** Every file that was judged, with its verdict; Enter reads one. */
export const artifacts: RunSection = {
  id: 'artifacts',
  title: 'Artifacts',
  count: (run) => run.artifacts.length,
  bindings: list.bindings,
  view: (model, _run, size) =>
    list.view(model, size, (each, columns) => row(each, model.now, columns), 'No artifact has been written yet.'),
  open(model) {
    const found = list.selected(model);
    if (!found) return 'there is no artifact';
    return step(runState.set(model, { opened: { kind: 'artifact', id: found.artifactId } }));
  },
  things: (model) => artifactThings(list.selected(model)),
  typing: list.typing,
  onKey: list.onKey,
  onMouse: list.onMouse,
};

/** In the order of the columns. The file, or what is wrong in it, is what a person looks for. */
const WIDTHS: readonly Width[] = [
  { least: 9, best: 12, worth: 10 },
  { least: 20, best: 30, worth: 8 },
  { least: 11, best: 28, worth: 7 },
  { least: 14, best: 14, worth: 5 },
  { least: 16, best: 40, worth: 9, grows: true },
];

function row(artifact: ArtifactView, now: number, columns: number): Line {
  const { valid, schema, phaseKey, attempt, path, errors, createdAt } = artifact;
  const [first] = errors;
  return beside(
    [
      line(valid ? span('✓ valid', theme.good) : span(`✗ invalid: ${errors.length}`, theme.bad)),
      line(schema),
      line(phaseKey ?? '', attempt > 1 && span(` #${attempt}`, theme.muted)),
      line(span(shortClock(createdAt, now), theme.muted)),
      line(first ? span(`${first.path || '/'} ${first.message}`, theme.bad) : span(baseName(path), theme.muted)),
    ],
    layOut(WIDTHS, columns),
  );
}
