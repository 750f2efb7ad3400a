import type { PhaseKind } from '../../../schemas/enums.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { ApiError } from '../../model/apiError.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, type Size, type Step, step } from '../../model/model.ts';
import type { Query } from '../../model/query.ts';
import type { Stream } from '../../model/screen.ts';
import { type Line, line, wrap } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import type { List } from '../../widgets/list.ts';
import type { Targets } from '../targets/targets.ts';
import { type Opened, runState, type SectionId } from './shownRun.ts';

type Mouse = { action: 'click' | 'up' | 'down'; row: number; column: number };

/** One section of the run's screen. The screen has one set of keys and passes them on to these bindings. */
export interface RunSection {
  readonly id: SectionId;
  readonly title: string;
  /** False for a run that has nothing to show there. Absent: every run has it. */
  exists?(run: RunDetail): boolean;
  count?(run: RunDetail): number | undefined;
  readonly bindings: readonly Binding[];
  queries?(model: Model): readonly Query[];
  streams?(model: Model): readonly Stream[];
  view(model: Model, run: RunDetail, size: Size): readonly Line[];
  /** The action of Enter, or the reason why there is none. */
  open?(model: Model, run: RunDetail): Step | string;
  /** The selected item, for the keys that copy and open. */
  targets?(model: Model, run: RunDetail): Targets;
  /** The id of the session of the selected item. */
  session?(model: Model, run: RunDetail): string | undefined;
  /** The id of the open gate of the selected item. */
  gate?(model: Model, run: RunDetail): string | undefined;
  /** The position in the section, shown beside the section names. */
  where?(model: Model): string;
  typing?(model: Model): boolean;
  onKey?(model: Model, key: string): Step | undefined;
  onMouse?(model: Model, at: Mouse, size: Size): Step | undefined;
}

type ListParts = 'bindings' | 'selected' | 'typing' | 'onKey' | 'onMouse';

/** The parts of a section that is a list. Enter opens the selected item over it. */
export function listSection<T>(list: Pick<List<T>, ListParts>, kind: Opened['kind'], idOf: (item: T) => string) {
  return {
    bindings: list.bindings,
    open(model: Model): Step | string {
      const item = list.selected(model);
      if (item === undefined) return `no ${kind} is selected`;
      return step(runState.set(model, { opened: { kind, id: idOf(item) } }));
    },
    typing: list.typing,
    onKey: list.onKey,
    onMouse: list.onMouse,
  };
}

/** The lines of a section whose answer is not there yet. */
export function waitingLines(error: ApiError | undefined, columns: number): Line[] {
  const text = wrap(error?.message ?? 'Loading…', columns - 2, error ? theme.bad : theme.muted);
  return text.map((each) => line(' ', ...each));
}

/** The section with what only phases of the kind have; null: none. A missing kind does not compile. */
const OF_KIND: Readonly<Record<PhaseKind, SectionId | null>> = {
  agent: null,
  command: null,
  direct: null,
  evaluate: null,
  lanes: 'lanes',
  review: 'findings',
  step: null,
};

/** True if the run has a phase of a kind that the section shows. */
export function hasPhaseFor(section: SectionId, { phases }: Pick<RunDetail, 'phases'>): boolean {
  return phases.some(({ kind }) => OF_KIND[kind] === section);
}
