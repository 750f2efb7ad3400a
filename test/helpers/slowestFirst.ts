import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Without measured times, which a fresh clone has not, vitest begins with the largest files. These are smaller than others, and slow. */
const SLOW = [
  'temporal/chaos.temporal.test.ts',
  'e2e/kills/crash.e2e.test.ts',
  'daemon/sessions/tmux/deliver/torture.int.test.ts',
  'daemon/sessions/tmux/contract.int.test.ts',
  'daemon/core/everyState.test.ts',
  'daemon/core/anyHistory.test.ts',
  'daemon/core/longHistory.test.ts',
  'daemon/kinds/lanes/anyPlan.test.ts',
];

/** A slow file that begins last leaves all workers but its own without work. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((name) => moduleId.endsWith(`/test/${name}`));
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((all) => [...all.filter(isSlow), ...all.filter((file) => !isSlow(file))]);
  }
}
