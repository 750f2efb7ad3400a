import { type ReadBytes, readRegular } from './openRegular.ts';

/** No settings, definition or lock file of a person is larger. */
export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/** A file that a person or devflow keeps. A link is followed; a pipe or a device is refused, and never waited for. */
export function readSettingsFile(path: string): ReadBytes {
  return readRegular(path, MAX_SETTINGS_BYTES, { follow: true });
}

/** Its text; undefined when there is none, or it cannot be read. */
export function readSettingsText(path: string): string | undefined {
  const read = readSettingsFile(path);
  return read.ok ? read.bytes.toString('utf8') : undefined;
}
