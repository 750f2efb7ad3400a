import type { ValidationError } from './artifactSemantics.ts';
import type { Fault } from './phase/kindDefinition.ts';

/** The texts that Postgres cannot store in JSON: with NUL, or with half of a surrogate pair. */
export function unstorableText(data: unknown, path = ''): ValidationError[] {
  if (typeof data === 'string') {
    const isStorable = data.isWellFormed() && !data.includes('\0');
    return isStorable ? [] : [{ path, message: 'has a NUL or half of a character: leave it out' }];
  }
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [
    ...(Array.isArray(data) ? [] : unstorableText(key, path)),
    ...unstorableText(value, `${path}/${storableText(key)}`),
  ]);
}

/** The text in a form that Postgres can store in JSON. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '␀');
}

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
