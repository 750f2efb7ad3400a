import type { Entry } from '../report/tree.ts';
import { ARCHIVE, STATE_CONTRACT } from './contract.ts';

export const BUCKETS = ['canonical', 'pattern_allowed', 'ephemeral', 'ad_hoc'] as const;
export type Bucket = (typeof BUCKETS)[number];

const CANONICAL = new Set([...STATE_CONTRACT.canonical, ...STATE_CONTRACT.canonicalFromUpstream]);
const DIRECTORIES = new Set(STATE_CONTRACT.canonicalDirectories);
const EXEMPT = new Set(STATE_CONTRACT.resetExempt);
const EPHEMERAL = STATE_CONTRACT.ephemeralPatterns.map((pattern) => new RegExp(pattern));
const ALLOWED = STATE_CONTRACT.allowedPatterns.map((pattern) => new RegExp(pattern));

/** The bucket of a name, without a directory. */
export function classifyName(name: string): Bucket {
  return DIRECTORIES.has(name) ? 'canonical' : bucketOfFile(name);
}

/** The bucket of an entry of the state directory. Only regular files and the archive are legal. */
export function classifyEntry({ name, kind }: { name: string; kind: Entry['kind'] }): Bucket {
  if (kind === 'dir') return DIRECTORIES.has(name) ? 'canonical' : 'ad_hoc';
  return kind === 'file' ? bucketOfFile(name) : 'ad_hoc';
}

/** Whether a reset spares it. */
export function isResetExempt(name: string): boolean {
  return EXEMPT.has(name);
}

/** The part of a lane's file name that says which lane it is. */
export function laneSlug(text: string): string {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const slug = words.join('_').slice(0, LONGEST_SLUG);
  return (slug.endsWith('_') ? slug.slice(0, -1) : slug) || 'ungrouped';
}

const LONGEST_SLUG = 32;

export function laneFile(slug: string): string {
  return `review-lane-${slug}.md`;
}

function bucketOfFile(name: string): Bucket {
  if (CANONICAL.has(name)) return 'canonical';
  if (name === ARCHIVE) return 'ad_hoc';
  if (EPHEMERAL.some((pattern) => pattern.test(name))) return 'ephemeral';
  return ALLOWED.some((pattern) => pattern.test(name)) ? 'pattern_allowed' : 'ad_hoc';
}
