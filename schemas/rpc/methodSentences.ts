import { type Changes, type DescribedCaller, describeCaller } from './caller.ts';
import type { AnsweredBy, Method } from './contract.ts';

const ELSEWHERE: Record<AnsweredBy['elsewhere'], string> = {
  ask: 'answers it',
  askOrAnswer: 'answers it; while that is unreachable, this host answers what the database knows',
  refuse: 'must be asked itself: any other host refuses with `run_elsewhere`',
};

/** Sentences in Markdown: a method's changes, its allowed caller, and the host that answers it. */
export function methodSentences(method: Pick<Method, 'changes' | 'caller' | 'answeredBy' | 'withoutDaemon'>): string[] {
  const { changes, answeredBy, withoutDaemon } = method;
  const sentences = [
    changesSentence(changes),
    callerSentence(describeCaller(method)),
    answeredBy && `With several hosts, the host of \`${answeredBy.hostOf}\` ${ELSEWHERE[answeredBy.elsewhere]}.`,
    withoutDaemon ? 'Without a daemon, `devflow` answers it itself.' : undefined,
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

function changesSentence(changes: Changes): string | undefined {
  if (changes === 'something') return undefined;
  if (changes === 'nothing') return 'It changes nothing.';
  return `It changes nothing ${'if' in changes ? `without \`${changes.if}\`` : `with \`${changes.unless}\``}.`;
}

function callerSentence(caller: DescribedCaller): string | undefined {
  if (caller === 'anyone') return undefined;
  if (caller === 'person') return 'Only a person may call it.';
  if (caller === 'reader') return 'For an open run that is judged by measurements, only a person may call it.';
  return `Only a person may call it ${caller.person === 'if' ? 'with' : 'without'} \`${caller.param}\`.`;
}
