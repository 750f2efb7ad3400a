import type { Entry } from '../report/tree.ts';
import { ARCHIVE, STATE_CONTRACT, STATE_CONTRACTS, type StateContract } from './contract.ts';

export const BUCKETS = ['canonical', 'pattern_allowed', 'ephemeral', 'ad_hoc'] as const;
export type Bucket = (typeof BUCKETS)[number];

const NAMES = new Map(STATE_CONTRACTS.map((contract) => [contract, namesOf(contract)]));

/** The bucket of a name, without a directory. */
export function classifyName(name: string, contract: StateContract = STATE_CONTRACT): Bucket {
  return NAMES.get(contract)?.directories.has(name) ? 'canonical' : bucketOfFile(name, contract);
}

/** The bucket of an entry of the state directory. Only regular files and the directories of the contract are legal. */
export function classifyEntry(
  { name, kind }: { name: string; kind: Entry['kind'] },
  contract: StateContract = STATE_CONTRACT,
): Bucket {
  if (kind === 'dir') return NAMES.get(contract)?.directories.has(name) ? 'canonical' : 'ad_hoc';
  return kind === 'file' ? bucketOfFile(name, contract) : 'ad_hoc';
}

/** True if a reset spares it. */
export function isResetExempt(name: string, contract: StateContract = STATE_CONTRACT): boolean {
  return NAMES.get(contract)?.exempt.has(name) ?? false;
}

/** The part of a lane's file name that says which lane it is. */
export function laneSlug(text: string): string {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  // Upstream cuts last, so a cut after a word leaves its `_`.
  return words.join('_').slice(0, LONGEST_SLUG) || 'ungrouped';
}

const LONGEST_SLUG = 32;

export function laneFile(slug: string): string {
  return `review-lane-${slug}.md`;
}

function bucketOfFile(name: string, contract: StateContract): Bucket {
  const { canonical, ephemeral, allowed } = NAMES.get(contract) as ReturnType<typeof namesOf>;
  if (canonical.has(name)) return 'canonical';
  if (name === ARCHIVE) return 'ad_hoc';
  if (ephemeral.some((pattern) => pattern.test(name))) return 'ephemeral';
  return allowed.some((pattern) => pattern.test(name)) ? 'pattern_allowed' : 'ad_hoc';
}

function namesOf(contract: StateContract) {
  const patterns = (texts: readonly string[]) => texts.map((text) => new RegExp(text));
  return {
    canonical: new Set([...contract.canonical, ...contract.canonicalFromUpstream]),
    directories: new Set(contract.canonicalDirectories),
    exempt: new Set(contract.resetExempt),
    ephemeral: patterns(contract.ephemeralPatterns),
    allowed: patterns(contract.allowedPatterns),
  };
}
