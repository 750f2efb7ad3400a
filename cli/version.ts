import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../schemas/files/paths.ts';

export function version(): string {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).version;
}
