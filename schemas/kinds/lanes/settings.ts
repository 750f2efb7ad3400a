import { DEFAULT_BATCH, DEFAULT_LANES } from '../../definitions/phase/phaseDefaults.ts';
import type { TemplatePhase } from '../../definitions/phase/templatePhase.ts';
import { graphPhaseOf } from './definition.ts';

/** The settings of a lanes phase, with defaults filled in. */
export interface LaneSettings {
  /** The phase whose artifact is the task graph. */
  from: string;
  /** The most lanes that work at the same time. */
  max: number;
  /** The most lanes that are tested together before they land. */
  batch: number;
  /** The command phase whose commands check what lands; null: only the tasks' own checks do. */
  checks: string | null;
}

/** The settings of a lanes phase of a valid template. */
export function laneSettings({ phases }: { phases: readonly TemplatePhase[] }, phase: TemplatePhase): LaneSettings {
  const { max = DEFAULT_LANES, batch = DEFAULT_BATCH, checks = null } = phase.lanes ?? {};
  const before = phases.slice(
    0,
    phases.findIndex(({ key }) => key === phase.key),
  );
  const from = graphPhaseOf(phase, before);
  if (!from) throw new TypeError(`phase ${phase.key} has no task graph`);
  return { from: from.key, max, batch, checks };
}
