import { namesIn } from './schemaIds.ts';

/** The versions of a name in a directory of templates or personas, also one whose publishing has only begun. */
export function versionsIn(directory: string, name: string): number[] {
  return namesIn(directory).flatMap((entry) => {
    const [, found, version] = /^(.+)@([1-9]\d*)\.(?:ya?ml|provenance\.json)$/.exec(entry) ?? [];
    return found === name ? [Number(version)] : [];
  });
}

/** The first number above all versions. */
export function versionAfter(versions: readonly number[]): number {
  return Math.max(0, ...versions) + 1;
}
