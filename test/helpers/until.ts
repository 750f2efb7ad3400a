import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/** Asks until the answer is truthy, and fails with a sentence if it never is. The one place where tests wait. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s in vain until ${what}`);
    await pause(10);
  }
}
