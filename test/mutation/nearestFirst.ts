import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first failure ends the run of a mutant, and tests beside the mutated file are the most likely to notice it. */
export class NearestFirst extends BaseSequencer {
  static mutated = '';

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const mutated = relative(process.cwd(), NearestFirst.mutated);
    const nearness = ({ moduleId }: TestSpecification) => sharedStart(relative('test', moduleId), mutated);
    return sorted.sort((one, other) => nearness(other) - nearness(one));
  }
}

function sharedStart(one: string, other: string): number {
  const differs = [...one].findIndex((char, at) => char !== other[at]);
  return differs < 0 ? one.length : differs;
}
