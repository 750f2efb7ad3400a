import type { Notification } from '../../schemas/rpc/notifications.ts';

/** The most hints that wait for a slow reader. Beyond that the oldest is dropped and counted. */
const HINT_LIMIT = 2000;

/** Hints that wait for a reader. A newer hint replaces an older one about the same subject. */
export interface HintQueue {
  add(hint: Notification): void;
  take(): Notification | undefined;
  /** The number dropped since the last call. */
  takeLost(): number;
}

export function createHintQueue(limit: number = HINT_LIMIT): HintQueue {
  const waiting = new Map<string, Notification>();
  let lost = 0;
  return {
    add(hint) {
      const key = subjectOf(hint);
      waiting.delete(key);
      waiting.set(key, hint);
      if (waiting.size <= limit) return;
      const [oldest] = waiting.keys();
      if (oldest !== undefined) waiting.delete(oldest);
      lost += 1;
    },
    take() {
      const [first] = waiting;
      if (!first) return undefined;
      waiting.delete(first[0]);
      return first[1];
    },
    takeLost() {
      const count = lost;
      lost = 0;
      return count;
    },
  };
}

function subjectOf(hint: Notification): string {
  switch (hint.event) {
    case 'run.state_changed':
    case 'run.progress':
    case 'lanes.changed':
    case 'findings.changed':
      return `${hint.event}:${hint.data.runId}`;
    case 'run.event_appended':
      return `${hint.event}:${hint.data.runId}:${hint.data.seq}`;
    case 'phase.state_changed':
      return `${hint.event}:${hint.data.phaseId}`;
    case 'approval.created':
    case 'approval.resolved':
      return `${hint.event}:${hint.data.approvalId}`;
    case 'messages.changed':
    case 'session.state_changed':
    case 'transcript.chunk_appended':
      return `${hint.event}:${hint.data.sessionId}`;
    case 'artifact.validated':
      return `${hint.event}:${hint.data.artifactId}`;
    case 'contracts.changed':
      return `${hint.event}:${hint.data.repo}`;
    case 'definitions.changed':
    case 'engine.changed':
    case 'queue.changed':
    case 'heartbeat':
      return hint.event;
    default:
      return hint satisfies never;
  }
}
