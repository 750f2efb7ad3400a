import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { Model } from '../../model/model.ts';
import { artifacts } from './runArtifacts.ts';
import { changes } from './runChanges.ts';
import { commands } from './runCommands.ts';
import { events } from './runEvents.ts';
import { findings } from './runFindings.ts';
import { handovers } from './runHandovers.ts';
import { iterations } from './runIterations.ts';
import { lanes } from './runLanes.ts';
import { overview } from './runOverview.ts';
import { report } from './runReport.ts';
import type { RunSection } from './runSection.ts';
import { runState, type SectionId, shownRun } from './shownRun.ts';

/** In the order of the tabs. */
const BY_ID: Readonly<Record<SectionId, RunSection>> = {
  overview,
  lanes,
  findings,
  handovers,
  iterations,
  events,
  artifacts,
  commands,
  changes,
  report,
};

/** The sections that this run has. */
export function sectionsOf(run: RunDetail | undefined): readonly RunSection[] {
  return Object.values(BY_ID).filter(({ exists }) => !exists || (run !== undefined && exists(run)));
}

export function shownSection(model: Model): RunSection {
  const chosen = BY_ID[runState.get(model).section];
  return sectionsOf(shownRun(model)).includes(chosen) ? chosen : overview;
}
