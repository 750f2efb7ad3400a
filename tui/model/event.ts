import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { Link, Model, Size, Transcript } from './model.ts';
import type { Entry } from './query.ts';
import type { Step } from './step.ts';

/** Everything that can happen to the dashboard. */
export type TuiEvent =
  | { readonly type: 'key'; readonly key: string }
  /** Text that was not typed: no letter of it is a command. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'mouse'; readonly action: 'click' | 'up' | 'down'; readonly row: number; readonly column: number }
  | { readonly type: 'resize'; readonly size: Size }
  /** The clock went on; nothing else did. */
  | { readonly type: 'tick' }
  | { readonly type: 'link'; readonly link: Link }
  | { readonly type: 'data'; readonly entries: readonly (readonly [string, Entry])[] }
  | { readonly type: 'events'; readonly runId: string; readonly events: readonly EventView[] }
  | { readonly type: 'transcript'; readonly sessionId: string; readonly transcript: Transcript }
  | { readonly type: 'notification'; readonly notification: NotificationParams }
  | { readonly type: 'asked'; readonly doing: string }
  /** What was asked for has come to its end. */
  | { readonly type: 'answered'; readonly doing?: string; readonly then: (model: Model) => Step };
