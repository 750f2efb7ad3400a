import type { MergeStep } from '../../../../../../daemon/kinds/lanes/queue/queue.ts';
import type { CheckResult, LaneHead, MergeTest } from '../../../../../../schemas/kinds/lanes/events.ts';
import { failingChecks, type Rule, signsOf } from './oracle.ts';
import { Repository } from './repository.ts';

export interface Truth {
  rules: readonly Rule[];
  /** Pairs of changes that git cannot merge. */
  conflicts: readonly (readonly [string, string])[];
  /** Checks that fail by chance when they run at this tree for the first time. */
  flaky(tree: string): readonly number[];
  /** A conflict with a lane of the same test: leave it out of this test, or report it at once. */
  atConflict: 'cut' | 'report';
}

export type TestOutcome = { type: 'tested'; test: MergeTest } | { type: 'conflict'; laneId: string };

/** Merges and runs checks as the real one does: what has run leaves a mark and never runs again. */
export class Performer {
  /** The checks that failed, by run: that of a tree, the first or second time. */
  readonly runs = new Map<string, number[]>();
  main: string;

  readonly repository: Repository;
  readonly truth: Truth;
  readonly checks: string;

  constructor(root: string, truth: Truth, checks: string) {
    this.main = root;
    this.repository = new Repository(root);
    this.truth = truth;
    this.checks = checks;
  }

  failing(commit: string): number[] {
    return this.checks === '' ? [] : failingChecks(this.truth.rules, this.repository.changesOf(commit));
  }

  test({ base, lanes, nth }: Extract<MergeStep, { do: 'test' }>): TestOutcome {
    const merged: LaneHead[] = [];
    const commits: string[] = [];
    for (const lane of lanes) {
      const onto = commits.at(-1) ?? base;
      if (this.conflict(onto, lane.head)) {
        if (merged.length > 0 && this.truth.atConflict === 'cut') break;
        return { type: 'conflict', laneId: lane.laneId };
      }
      merged.push(lane);
      commits.push(this.repository.merge(onto, lane.head));
    }
    const commit = commits.at(-1) ?? base;
    const tree = this.repository.treeOf(commit);
    const failed = this.run(commit, nth);
    const test = {
      base,
      lanes: merged,
      commits,
      commit,
      tree,
      checks: this.checks,
      nth,
      failed,
      results: this.results(commit, failed),
    };
    return { type: 'tested', test };
  }

  /** By chance a check says no more than that. */
  results(commit: string, failed: readonly number[]): CheckResult[] {
    const { rules } = this.truth;
    return Array.from({ length: Math.max(-1, ...failed) + 1 }, (_, check) => {
      const isRed = failed.includes(check);
      const truly = signsOf(rules, check, this.repository.changesOf(commit));
      const ended = isRed ? { exitCode: 1, reason: 'exit 1' } : { exitCode: 0, reason: 'exit 0' };
      const files = { stdoutPath: '/o', stderrPath: '/e' };
      return {
        argv: [`check ${check}`],
        ...ended,
        ...files,
        ...(isRed && { signs: truly.length > 0 ? truly : ['chance'] }),
      };
    });
  }

  land(from: string, to: string): 'landed' | 'raced' {
    if (this.main === from) this.main = to;
    return this.repository.contains(this.main, to) ? 'landed' : 'raced';
  }

  private run(commit: string, nth: number): number[] {
    const tree = this.repository.treeOf(commit);
    const mark = `${tree}, ${nth}`;
    const truly = this.failing(commit);
    const byChance = nth === 1 && this.checks !== '' ? this.truth.flaky(tree) : [];
    const failed = this.runs.get(mark) ?? [...new Set([...truly, ...byChance])].sort();
    this.runs.set(mark, failed);
    return failed;
  }

  private conflict(onto: string, head: string): boolean {
    const [there, here] = [this.repository.changesOf(onto), this.repository.changesOf(head)];
    const isNew = (change: string) => here.has(change) && !there.has(change);
    const isOther = (change: string) => there.has(change) && !here.has(change);
    return this.truth.conflicts.some(([a, b]) => (isNew(a) && isOther(b)) || (isNew(b) && isOther(a)));
  }
}
