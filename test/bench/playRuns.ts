import type { Place } from './place.ts';
import { playRun } from './playRun.ts';

/** Plays so many runs of the template of `writeOnePhase`, one after the other in each repository. */
export async function playRuns(place: Place, repos: readonly string[], runs: number): Promise<void> {
  let left = runs;
  const oneByOne = async (repo: string) => {
    const client = await place.connect();
    while (left-- > 0) await playRun(place, client, { repo, template: 'bench-one', backend: { worker: 'fake' } });
    client.close();
  };
  await Promise.all(repos.map(oneByOne));
}
