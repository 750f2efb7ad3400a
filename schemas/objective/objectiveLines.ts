import { counted } from '../text/phrases.ts';
import type { Objective } from './objective.ts';
import { SPLITS } from './objective.ts';
import { type ObjectiveDocument, readObjective } from './readObjective.ts';
import { percentText } from './units.ts';
import { comparisonText } from './words.ts';

/** devflow's reading of an objective, for the person who wrote it. Pure. */
export function objectiveLines(document: ObjectiveDocument): string[] {
  const objective = readObjective(document);
  const { targets, guards, primary, splits, repeat, editable, stop } = objective;
  const times = 1 + repeat.confirm;
  return [
    ...targets.map((each) => `target: ${textOf(each, objective)}`),
    ...guards.map((each) => `guard: ${textOf(each, objective)}${each.isDefault ? ', where there are trades' : ''}`),
    `primary: ${primary.metric}, ${primary.better} is better`,
    ...SPLITS.flatMap((part) => (splits[part] ? [`${part}: ${splits[part].from} to ${splits[part].to}`] : [])),
    `measured: ${counted(repeat.baseline, 'time')} at the base, and ${counted(times, 'time')} before a change is kept`,
    `agents may change: ${editable.length > 0 ? editable.join(', ') : 'every file that is not protected'}`,
    `protected: ${['the files that the command names', ...objective.protected].join(', ')}`,
    `ends: ${endsOf(stop)}`,
  ];
}

function textOf(compared: Objective['targets'][number] | Objective['guards'][number], { percent }: Objective): string {
  const text = comparisonText(compared);
  return percent.includes(compared.metric) ? `${text}, which is ${percentText(compared.value)}` : text;
}

function endsOf({ maxIterations, maxWallMs, plateau, maxInvalid }: Objective['stop']): string {
  const time = maxWallMs === null ? '' : ` or ${maxWallMs / 1000} s`;
  return `after ${counted(maxIterations, 'iteration')}${time}, ${plateau.patience} without a gain, or ${maxInvalid} that cannot be measured`;
}
