import type { Caller } from './caller.ts';
import type { AnsweredBy, Method } from './contract.ts';

const ELSEWHERE: Record<AnsweredBy['elsewhere'], string> = {
  ask: 'answers it',
  askOrAnswer: 'answers it; while that is unreachable, this host answers what the database knows',
  refuse: 'must be asked itself: any other host refuses with `run_elsewhere`',
};

/** Who may call a method, and which host answers it, in Markdown. */
export function methodSentences({ caller, answeredBy }: Pick<Method, 'caller' | 'answeredBy'>): string[] {
  return [...(caller === 'anyone' ? [] : [callerSentence(caller)]), ...(answeredBy ? [hostSentence(answeredBy)] : [])];
}

function callerSentence(caller: Exclude<Caller, 'anyone'>): string {
  if (caller === 'person') return 'Only a person may call it.';
  if (caller === 'reader') return 'For an open run that is judged by measurements, only a person may call it.';
  return `Only a person may call it ${caller.person === 'if' ? 'with' : 'without'} \`${caller.param}\`.`;
}

function hostSentence({ hostOf, elsewhere }: AnsweredBy): string {
  return `With several hosts, the host of \`${hostOf}\` ${ELSEWHERE[elsewhere]}.`;
}
