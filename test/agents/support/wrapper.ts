import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Claude Code 2.1.332 wraps a paste in such a tag; 2.1.197 does not know it. */
const WRAPPED = '<pasted_content';

/** The variable under which Claude Code believes the flags that stand in its configuration. */
export const BELIEVES_FLAGS = { CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF: '1' };

/** A flag that the server of Claude Code sets; without telemetry it is on (2.1.332). */
export function switchWrapperOff(directory: string): void {
  const path = join(directory, '.claude.json');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...config, cachedGrowthBookFeatures: { tengu_virtual_pancake: false } }));
}

/** Whether Claude Code wrapped a paste, by its records. */
export function hasWrapped(directory: string): boolean {
  const names = readdirSync(join(directory, 'projects'), { recursive: true, encoding: 'utf8' });
  const records = names.filter((name) => name.endsWith('.jsonl'));
  if (records.length === 0) throw new Error('Claude Code kept no record.');
  return records.some((name) => readFileSync(join(directory, 'projects', name), 'utf8').includes(WRAPPED));
}
