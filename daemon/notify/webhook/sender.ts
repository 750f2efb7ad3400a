import type { Logger } from 'pino';
import type { WaitingNotice, WebhookNotices } from '../../store/webhookNotices.ts';
import { afterTry, LONGEST_AGE_MS, LONGEST_WAIT_MS } from './afterTry.ts';
import type { Delivered } from './deliver.ts';

export interface SenderOptions {
  notices: Pick<WebhookNotices, 'readOldest' | 'noteSent' | 'noteGivenUp' | 'noteTry'>;
  post(notice: Pick<WaitingNotice, 'id' | 'body'>, signal: AbortSignal): Promise<Delivered>;
  now(): Date;
  /** Calls back once after so many milliseconds; returns a function that prevents it. */
  after(ms: number, act: () => void): () => void;
  log: Pick<Logger, 'warn'>;
}

export interface Sender {
  /** There may be something to send. */
  poke(): void;
  /** Why the last try failed; null after one that succeeded. */
  problem(): string | null;
  close(): Promise<void>;
}

/**
 * Sends the news in their order, one at a time: a receiver that is away delays all of them. A timer runs only while something
 * waits for its next try.
 */
export function createSender({ notices, post, now, after, log }: SenderOptions): Sender {
  const closing = new AbortController();
  let sending: Promise<void> | undefined;
  let wanted = false;
  let cancelTimer: (() => void) | undefined;
  let failures = 0;
  let problem: string | null = null;

  const ageOf = ({ at }: WaitingNotice) => now().getTime() - at.getTime();

  /** Waits no longer than the longest pause: the clock may have been set back since. */
  function wait(ms: number): void {
    cancelTimer = after(Math.min(ms, LONGEST_WAIT_MS), () => {
      cancelTimer = undefined;
      run(true);
    });
  }

  async function giveUp({ id }: WaitingNotice, reason: string): Promise<void> {
    log.warn({ id, reason }, 'gave up news for the webhook');
    await notices.noteGivenUp(id);
  }

  /** False if the next try is later. */
  async function tryOne(notice: WaitingNotice): Promise<boolean> {
    const delivered = await post(notice, closing.signal);
    // A daemon that stops has not heard the answer: the next one sends it again.
    if (closing.signal.aborted) return false;
    const tries = notice.tries + 1;
    failures = delivered.is === 'taken' ? 0 : failures + 1;
    problem = delivered.is === 'taken' ? null : delivered.reason;
    const next = afterTry(delivered, { tries, failures, ageMs: ageOf(notice) });
    if (next.is === 'done') await notices.noteSent(notice.id, now());
    else if (next.is === 'givenUp') await giveUp(notice, problem ?? '');
    else {
      if (failures === 1) log.warn({ reason: problem }, 'the webhook does not take news; devflow tries again');
      await notices.noteTry(notice.id, tries, new Date(now().getTime() + next.inMs));
      wait(next.inMs);
    }
    return next.is !== 'again';
  }

  async function sendAll(isDue: boolean): Promise<void> {
    let due = isDue;
    while (!closing.signal.aborted) {
      wanted = false;
      const notice = await notices.readOldest();
      if (notice === undefined) {
        if (wanted) continue;
        return;
      }
      const left = notice.nextAt.getTime() - now().getTime();
      if (notice.tries === 0 && ageOf(notice) >= LONGEST_AGE_MS) await giveUp(notice, 'it is older than a day');
      else if (left > 0 && !due) return wait(left);
      else if (!(await tryOne(notice))) return;
      due = false;
    }
  }

  function run(isDue: boolean): void {
    wanted = true;
    if (sending || cancelTimer || closing.signal.aborted) return;
    sending = sendAll(isDue)
      .catch((err: unknown) => {
        log.warn({ err }, 'could not read or note the news for the webhook');
        wait(LONGEST_WAIT_MS);
      })
      .finally(() => {
        sending = undefined;
      });
  }

  return {
    poke: () => run(false),
    problem: () => problem,
    async close() {
      closing.abort();
      cancelTimer?.();
      await sending;
    },
  };
}
