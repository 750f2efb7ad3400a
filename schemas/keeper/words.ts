import { counted } from '../text/phrases.ts';
import { localTime } from '../time/localTime.ts';
import type { KeeperReason, KeeperRecord } from './record.ts';

/** The conditions that a keeper waits for. The last two never end by waiting. */
const WAITED_FOR: Readonly<Record<KeeperReason, string>> = {
  database: 'for the database',
  'other daemon': 'for the database that another daemon leads',
  crash: 'to restart its daemon',
  person: 'for a person',
};

const GAVE_UP: Readonly<Record<KeeperReason, string>> = {
  database: 'it lost its database',
  'other daemon': 'another daemon leads its database',
  crash: 'its daemon crashes soon after each start',
  person: 'its daemon cannot start',
};

/** One sentence on a keeper without a daemon. */
export function keeperSentence({ state, reason = 'crash', since = '', crashes }: KeeperRecord): string {
  const at = localTime(since);
  if (state === 'gave up') return `devflow gave up, because ${GAVE_UP[reason]} (since ${at}).`;
  // An earlier devflow may have ended for another reason.
  if (reason === 'crash' && crashes > 0)
    return `The daemon crashed (${counted(crashes, 'time')} since ${at}), and devflow restarts it.`;
  return `devflow waits ${WAITED_FOR[reason]} since ${at}.`;
}

/** The person's next step. */
export function keeperHint({ state }: Pick<KeeperRecord, 'state'>, logFile: string): string {
  if (state === 'gave up') return `Read the end of ${logFile} and fix the cause. Then run devflow up.`;
  return 'It goes on by itself. To end the waiting: devflow down.';
}

/** The result of `devflow down`. */
export function endedKeeper({ state, reason = 'crash', since = '' }: KeeperRecord): string {
  if (state === 'keeping') return 'devflow is down. Its daemon has ended.';
  return `devflow is down. It waited ${WAITED_FOR[reason]} since ${localTime(since)}.`;
}

/** The same for a status line, which has little room. */
export function keeperStatus({ state, reason = 'crash', since = '' }: KeeperRecord): string {
  if (state === 'gave up') return 'devflow gave up: devflow status';
  return `waits ${WAITED_FOR[reason]} since ${localTime(since).slice(11, 16)}`;
}
