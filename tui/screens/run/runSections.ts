import type { Model } from '../../model/model.ts';
import { artifacts } from './runArtifacts.ts';
import { changes } from './runChanges.ts';
import { commands } from './runCommands.ts';
import { events } from './runEvents.ts';
import { overview } from './runOverview.ts';
import { report } from './runReport.ts';
import type { RunSection } from './runSection.ts';
import { runState, type SectionId } from './shownRun.ts';

/** In the order of the tabs. */
const BY_ID: Readonly<Record<SectionId, RunSection>> = { overview, events, artifacts, commands, changes, report };

export const SECTIONS: readonly RunSection[] = Object.values(BY_ID);

export function shownSection(model: Model): RunSection {
  return BY_ID[runState.get(model).section];
}
