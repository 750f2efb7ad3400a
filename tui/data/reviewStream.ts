import { readReview } from '../../cli/client/drafts/draftFiles.ts';
import { settleDecided } from '../../cli/client/drafts/sendOnce.ts';
import { watchReviews } from '../../cli/client/drafts/watchReviews.ts';
import type { Review, ReviewedGate } from '../../schemas/comments/draft.ts';
import type { Followed } from './followed.ts';

/** Reads the files of a review now and after each change by any client, and asks about decisions that were not answered. */
export function followReview(gate: ReviewedGate, stateDir: string, onReview: (review: Review) => void): Followed {
  let isOpen = true;
  const read = () => {
    if (isOpen) onReview(readReview(stateDir, gate));
  };
  const watch = watchReviews(stateDir, read);
  // Later, because this is asked for while another event is handled.
  setImmediate(read);
  return {
    use(client) {
      if (!client) return;
      // The link reports a lost connection; the next one asks again.
      void settleDecided({ client, stateDir }, gate.runId).catch(() => {});
    },
    close() {
      isOpen = false;
      watch.close();
    },
  };
}
