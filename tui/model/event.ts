import type { Review } from '../../schemas/comments/draft.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { Link, Model, Size, Step, Transcript } from './model.ts';
import type { Answer } from './query.ts';

/** Everything that can happen to the dashboard. */
export type TuiEvent =
  | { readonly type: 'key'; readonly key: string }
  /** Pasted text. No letter of it is a key. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'mouse'; readonly action: 'click' | 'up' | 'down'; readonly row: number; readonly column: number }
  | { readonly type: 'resize'; readonly size: Size }
  /** Only time has passed. */
  | { readonly type: 'tick' }
  | { readonly type: 'link'; readonly link: Link }
  | { readonly type: 'data'; readonly answers: readonly (readonly [string, Answer])[] }
  /** `isOther`: a backup was restored, and the log begins anew with these. */
  | {
      readonly type: 'events';
      readonly runId: string;
      readonly events: readonly EventView[];
      readonly isOther?: boolean;
    }
  | { readonly type: 'transcript'; readonly sessionId: string; readonly transcript: Transcript }
  | { readonly type: 'review'; readonly approvalId: string; readonly review: Review }
  | { readonly type: 'notification'; readonly notification: NotificationParams }
  | { readonly type: 'commandStarted'; readonly doing: string }
  | { readonly type: 'commandEnded'; readonly doing?: string; readonly then: (model: Model) => Step };
