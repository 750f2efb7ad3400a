import { randomUUID } from 'node:crypto';

/** A fresh random UUIDv4: run ids and client tokens only. Everything inside a run has a derived id (`ids.ts`). */
export function newId(): string {
  return randomUUID();
}
