import { randomUUID } from 'node:crypto';

/** A random UUIDv4, for run ids, client tokens and draft files. Everything inside a run has a derived id (`ids.ts`). */
export function newId(): string {
  return randomUUID();
}
