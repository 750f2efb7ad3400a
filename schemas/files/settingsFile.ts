import { type ReadBytes, readRegular } from './openRegular.ts';

/** Larger than any settings, definition or lock file of a person. */
const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/** Reads a file of a person or devflow. It follows links. It refuses a pipe or a device and never waits for one. */
export function readSettingsFile(path: string): ReadBytes {
  return readRegular(path, MAX_SETTINGS_BYTES, { follow: true });
}

/** The text of such a file; undefined if it is missing or unreadable. */
export function readSettingsText(path: string): string | undefined {
  const read = readSettingsFile(path);
  return read.ok ? read.bytes.toString('utf8') : undefined;
}
