import type { ValidationError } from '../../../schemas/events/artifact.ts';
import type { Run } from '../run/state.ts';
import { publishedPath } from './paths.ts';

/** Statements of a valid artifact that are wrong for its own run. */
export function exchangeFaults(run: Run, schema: string, data: unknown): ValidationError[] {
  if (!publishedPath(run, schema)) return [];
  const { frontmatter } = (data ?? {}) as { frontmatter?: Record<string, unknown> };
  const [directory = ''] = run.exchangePaths;
  const named = frontmatter?.project_dir;
  if (named === undefined || named === directory) return [];
  return [{ path: 'project_dir', message: `must be ${directory}, where devflow publishes the files of this run` }];
}
