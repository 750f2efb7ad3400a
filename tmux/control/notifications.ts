import { decode } from './controlParser.ts';

/** A report of the server to its control-mode clients. The driver reads two kinds; all others are `other`. */
export type Notification =
  | { readonly type: 'subscription'; readonly name: string; readonly value: string }
  | { readonly type: 'exit'; readonly reason: string }
  | { readonly type: 'other'; readonly line: string };

/** `name $1 @2 0 %3 : value`, with `-` for what the subscription does not cover. */
const SUBSCRIPTION = /^%subscription-changed (\S+) \S+ \S+ \S+ \S+(?: \S+)*? : (.*)$/s;

/** Never throws: a line of unknown form becomes `other`. */
export function parseNotification(text: string): Notification {
  const line = decode(text);
  const [, name, value] = SUBSCRIPTION.exec(line) ?? [];
  if (name !== undefined && value !== undefined) return { type: 'subscription', name, value };
  const isExit = line === '%exit' || line.startsWith('%exit ');
  return isExit ? { type: 'exit', reason: line.slice('%exit '.length) } : { type: 'other', line };
}
