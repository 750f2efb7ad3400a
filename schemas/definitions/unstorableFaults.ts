import type { Fault } from './phase/fault.ts';
import { unstorableText } from './unstorableText.ts';

/** Texts of a definition that the database cannot keep. One would hold up every other definition. */
export function unstorableFaults(definition: unknown): Fault[] {
  return unstorableText(definition).map(({ path, message }) => ({
    path: path
      .split('/')
      .slice(1)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    code: 'unstorable_text',
    message,
  }));
}
