import type { RunSummary } from '../../schemas/rpc/views/run.ts';
import { known, need } from '../model/data.ts';
import { goTo } from '../model/navigate.ts';
import { step } from '../model/step.ts';
import { line, sized, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { createList, LIST_START, type ListState } from '../widgets/list.ts';
import type { Screen } from './screen.ts';
import { screenState } from './state.ts';

const RUNS = need('run.list', { limit: 1000 });

const list = createList<RunSummary>({
  name: 'runs',
  state: screenState<ListState>('runs', LIST_START),
  items: (model) => known(model.data, RUNS) ?? [],
  keyOf: (run) => run.runId,
  textOf: (run) => `${run.runId} ${run.state} ${run.template} ${run.repoPath} ${run.currentPhase ?? ''}`,
});

export const runs: Screen = {
  id: 'runs',
  title: () => 'Runs',
  needs: () => [RUNS],
  bindings: [
    {
      ...{ id: 'runs.open', keys: ['enter', 'l', 'right'], label: 'open', help: 'Open the selected run', footer: true },
      disabled: (model) => (list.selected(model) ? undefined : 'there is no run'),
      run(model) {
        const run = list.selected(model);
        return step(run ? goTo(model, { screen: 'run', about: run.runId }) : model);
      },
    },
    ...list.bindings,
  ],
  view: (model, size) =>
    list.view(
      model,
      size,
      (run) => line(span(run.runId.slice(0, 8), theme.accent), ' ', ...sized(line(run.state), 18), run.template),
      known(model.data, RUNS) ? 'No runs yet. Press n to start one.' : 'Loading…',
    ),
  typing: list.typing,
  onKey: list.onKey,
  onMouse: (model, at, size) => list.onMouse(model, at, size),
};
