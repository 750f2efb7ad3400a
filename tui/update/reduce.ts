import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { TuiEvent } from '../model/event.ts';
import type { Log, Model } from '../model/model.ts';
import { isShown, toast } from '../model/toast.ts';
import { shortId } from '../text/runWords.ts';

/** The model after an event that is not a person's input. */
export function reduce(
  model: Model,
  event: Exclude<TuiEvent, { type: 'key' | 'paste' | 'mouse' | 'commandEnded' }>,
): Model {
  switch (event.type) {
    case 'resize':
      return { ...model, size: event.size };
    case 'tick':
      return { ...model, toasts: model.toasts.filter((each) => isShown(each, model.now)) };
    case 'link':
      return linked(model, event.link);
    case 'data':
      return { ...model, data: merged(model, event.answers) };
    case 'events':
      return {
        ...model,
        logs: new Map(model.logs).set(
          event.runId,
          appended(event.isOther ? undefined : model.logs.get(event.runId), event.events),
        ),
      };
    case 'transcript':
      return { ...model, transcripts: new Map(model.transcripts).set(event.sessionId, event.transcript) };
    case 'review':
      return { ...model, reviews: new Map(model.reviews).set(event.approvalId, event.review) };
    case 'notification':
      return notified(model, event.notification);
    case 'commandStarted':
      return { ...model, busy: [...model.busy, event.doing] };
    default:
      return event satisfies never;
  }
}

function merged(model: Model, answers: Extract<TuiEvent, { type: 'data' }>['answers']): Model['data'] {
  const data = new Map(model.data);
  for (const [key, answer] of answers) {
    // A failed read keeps the older value.
    const next = answer.error === undefined ? answer : { ...data.get(key), error: answer.error };
    // The newest answer goes last, because the oldest is evicted first.
    data.delete(key);
    data.set(key, next);
  }
  return data;
}

/** Adds each event once: a reconnection may send some again. Older models share the array. */
function appended(log: Log | undefined, events: readonly EventView[]): Log {
  const all = (log?.events ?? []) as EventView[];
  const count = log?.count ?? 0;
  const own = all.length === count ? all : all.slice(0, count);
  let last = own.at(-1)?.seq ?? 0;
  for (const event of events) {
    if (event.seq <= last) continue;
    own.push(event);
    last = event.seq;
  }
  return { events: own, count: own.length };
}

function linked(model: Model, link: Model['link']): Model {
  const next = { ...model, link };
  if (link.state !== 'up') return next;
  return model.link.state === 'away' ? toast(next, 'good', 'Reconnected to the daemon; the data is up to date.') : next;
}

function notified(model: Model, notification: Extract<TuiEvent, { type: 'notification' }>['notification']): Model {
  if (notification.event !== 'approval.created') return model;
  const { gateKey, phaseKey, runId } = notification.data;
  const name = `${gateKey}${phaseKey ? ` (${phaseKey})` : ''} of run ${shortId(runId)}`;
  const before = model.toasts.find(({ gates }) => gates !== undefined);
  const gates = (before?.gates ?? 0) + 1;
  const text = gates === 1 ? `A gate waits for you: ${name}.` : `${gates} new gates wait for you, the newest: ${name}.`;
  const others = { ...model, toasts: model.toasts.filter((each) => each !== before) };
  return toast(others, 'warn', `${text} Press 2.`, gates);
}
