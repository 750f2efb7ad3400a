import type { ArtifactView } from '../../schemas/rpc/views/artifact.ts';
import { step } from '../model/step.ts';
import { clock } from '../text/age.ts';
import { type Line, line, sized, span } from '../text/line.ts';
import { baseName } from '../text/runWords.ts';
import { theme } from '../text/theme.ts';
import { createList, LIST_START, type ListState } from '../widgets/list.ts';
import { runHere, runState } from './runHere.ts';
import type { RunSection } from './runSection.ts';
import { artifactThings } from './runThings.ts';
import { screenState } from './state.ts';

const list = createList<ArtifactView>({
  name: 'run.artifacts',
  state: screenState<ListState>('run artifacts', LIST_START),
  items: (model) => runHere(model)?.artifacts ?? [],
  keyOf: ({ artifactId }) => artifactId,
  headless: true,
  columns: [
    { title: 'verdict', text: ({ valid, errors }) => (valid ? 'valid' : `invalid: ${errors.length}`) },
    { title: 'schema', text: ({ schema }) => schema },
    { title: 'phase', text: ({ phaseKey, attempt }) => `${phaseKey ?? ''}${attempt > 1 ? ` attempt ${attempt}` : ''}` },
    {
      title: 'time',
      text: ({ createdAt }, { now }) => clock(createdAt, now),
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

function row(artifact: ArtifactView, now: number, columns: number): Line {
  const { valid, schema, phaseKey, attempt, path, errors, createdAt } = artifact;
  const verdict = valid ? span('✓ valid', theme.good) : span(`✗ invalid: ${errors.length}`, theme.bad);
  const first = errors[0];
  const about = first ? span(`${first.path || '/'} ${first.message}`, theme.bad) : span(baseName(path), theme.muted);
  return line(
    ...sized(line(verdict), 14),
    ...sized(line(schema), columns < 110 ? 20 : 30),
    ' ',
    ...sized(line(phaseKey ?? '', attempt > 1 && span(` attempt ${attempt}`, theme.muted)), columns < 110 ? 18 : 28),
    ' ',
    span(`${clock(createdAt, now)}  `, theme.muted),
    about,
  );
}
