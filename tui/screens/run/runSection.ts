import type { PhaseKind } from '../../../schemas/enums.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { Binding } from '../../model/binding.ts';
import type { Model, Size, Step } from '../../model/model.ts';
import type { Query } from '../../model/query.ts';
import type { Stream } from '../../model/screen.ts';
import type { Line } from '../../text/line.ts';
import type { Targets } from '../targets/targets.ts';
import type { SectionId } from './shownRun.ts';

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

/** The section with what only phases of the kind have; null: none. A missing kind does not compile. */
const OF_KIND: Readonly<Record<PhaseKind, SectionId | null>> = {
  agent: null,
  command: null,
  evaluate: null,
  lanes: 'lanes',
  review: 'findings',
  step: null,
};

/** True if the run has a phase of a kind that the section shows. */
export function hasPhaseFor(section: SectionId, { phases }: Pick<RunDetail, 'phases'>): boolean {
  return phases.some(({ kind }) => OF_KIND[kind] === section);
}
