import type { Finding, Word } from './finding.ts';
import { pathCandidates } from './pathCandidates.ts';
import { isSecretPath } from './secretPaths.ts';

/** A path of a secret among a program's arguments. */
export function secretRule(program: string, args: readonly Word[]): Finding | undefined {
  for (const { text, bareNames } of pathCandidates(program, args)) {
    const path = readings(text).find((reading) => isSecretPath(reading.path, bareNames && reading.bareNames));
    if (path) return finding(path.path);
  }
  return undefined;
}

/** A path that certainly is one: a redirection's target, the value of an assignment. */
export function secretPathRule(words: readonly Word[]): Finding | undefined {
  const path = words
    .flatMap((word) => readings(word.text))
    .find((reading) => isSecretPath(reading.path, reading.bareNames));
  return path && finding(path.path);
}

/** An assignment's value may be a path, but a bare word in it is only a word. */
export function secretAssignmentRule(words: readonly Word[]): Finding | undefined {
  const values = words.map((word) => word.text.replace(/^[^=]*=/, ''));
  const path = values.flatMap(readings).find((reading) => isSecretPath(reading.path, false));
  return path && finding(path.path);
}

/** The paths that one word may hold: itself, after `@` or `key=`, and each side of a colon (`HEAD:.env`, `./a:/b`). */
function readings(text: string): { path: string; bareNames: boolean }[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^file:/i.test(text)) return [];
  const value = text.replace(/^@/, '');
  const found = [{ path: value, bareNames: true }];
  const equals = value.indexOf('=');
  if (equals >= 0) found.push({ path: value.slice(equals + 1).replace(/^@/, ''), bareNames: false });
  const parts = value.split(/[:,]/);
  if (parts.length > 1) found.push(...parts.map((path) => ({ path, bareNames: false })));
  return found;
}

function finding(path: string): Finding {
  return { rule: 'secret_access', reason: `${path} may hold secrets` };
}
