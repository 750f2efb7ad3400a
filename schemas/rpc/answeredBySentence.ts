import type { AnsweredBy } from './contract.ts';

const ELSEWHERE: Record<AnsweredBy['elsewhere'], string> = {
  ask: 'answers it',
  askOrAnswer: 'answers it; while that is unreachable, this host answers what the database knows',
  refuse: 'must be asked itself: any other host refuses with `run_elsewhere`',
};

/** Which host answers a method, in Markdown. */
export function answeredBySentence({ hostOf, elsewhere }: AnsweredBy): string {
  return `With several hosts, the host of \`${hostOf}\` ${ELSEWHERE[elsewhere]}.`;
}
