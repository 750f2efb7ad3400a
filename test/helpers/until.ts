import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

const LONGEST_PAUSE_MS = 100;

/**
 * Asks until the answer is truthy, and fails with a sentence if it never is. The one place where tests wait. The pauses
 * grow, because many questions start a process, and others wait for the processor.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const began = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    const waited = Date.now() - began;
    if (waited > patienceMs) throw new Error(`waited ${patienceMs / 1000} s in vain until ${what}`);
    await pause(Math.min(10 + waited / 10, LONGEST_PAUSE_MS));
  }
}
