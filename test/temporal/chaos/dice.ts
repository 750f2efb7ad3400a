import { seeded } from '../../fixtures/scripted/seeded.ts';

/** Chance that depends only on its seed. */
export interface Dice {
  /** Both ends are included. */
  int(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
  /** `count` of the list, which is shuffled again each time that it is used up. */
  deal<T>(list: readonly T[], count: number): T[];
}

export function createDice(seed: string): Dice {
  const next = seeded(seed);
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const shuffle = <T>(list: readonly T[]) =>
    list
      .map((each) => ({ each, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ each }) => each);
  return {
    int,
    pick: <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T,
    chance: (share) => next() < share,
    deal<T>(list: readonly T[], count: number) {
      const dealt: T[] = [];
      while (dealt.length < count) dealt.push(...shuffle(list));
      return dealt.slice(0, count);
    },
  };
}
