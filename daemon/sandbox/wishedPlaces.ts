import type { Sandbox } from '../../schemas/sandbox.ts';
import type { Mount } from './mounts.ts';

/** What a person added to the sandbox. Missing paths are left out. */
export function wishedPlaces({ read = [], write = [] }: Sandbox): Mount[] {
  return [
    ...read.map((path): Mount => ({ path, how: 'read' })),
    ...write.map((path): Mount => ({ path, how: 'write' })),
  ];
}
