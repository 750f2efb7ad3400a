import { hash } from '../../schemas/hash.ts';
import { type Fact, RANKS, type Uncovered } from '../../schemas/repoFacts.ts';
import { compareText } from '../../schemas/text/compareText.ts';
import { someOf } from '../../schemas/text/phrases.ts';
import { linesOf } from './candidate/lines.ts';
import { directoryOf, upwards } from './candidate/paths.ts';
import type { Candidate } from './candidate/reader.ts';

/** A fact that no command has proven yet. */
export type RankedFact = Omit<Fact, 'probe'>;

const MOST_FACTS = 200;
const MOST_WORDS = 60;
const MOST_CHARACTERS = 1000;
const QUOTED_CHARACTERS = 200;

/** Joins candidates with the same command to one fact, with the source that is trusted most. The best come first. */
export function rankFacts(
  candidates: readonly Candidate[],
  paths: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
): { facts: RankedFact[]; uncovered: Uncovered[] } {
  const directories = new Set([...paths].flatMap((path) => upwards(directoryOf(path))));
  const uncovered: Uncovered[] = [];
  const best = new Map<string, { candidate: Candidate; rank: number }>();
  for (const candidate of candidates) {
    const fault = faultOf(candidate, directories);
    if (fault !== undefined) {
      uncovered.push({ path: candidate.path, why: `line ${candidate.line}: ${fault}` });
      continue;
    }
    const key = keyOf(candidate);
    const rank = rankOf(candidate);
    const known = best.get(key);
    // A command that only prints stays hollow, whoever else names it.
    if (known?.rank === RANKS.hollow) continue;
    if (known === undefined || rank === RANKS.hollow || rank < known.rank) best.set(key, { candidate, rank });
  }
  const quote = quoter(texts);
  const facts = [...best]
    .map(([key, { candidate, rank }]) => factOf(key, candidate, rank, quote))
    .sort((a, b) => a.rank - b.rank || compareText(a.from.path, b.from.path) || a.from.line - b.from.line);
  const left = facts.slice(MOST_FACTS);
  if (left.length > 0) {
    const files = [...new Set(left.map(({ from }) => from.path))];
    uncovered.push({ path: files[0] ?? '.', why: `${left.length} more commands are left out, of ${someOf(files)}` });
  }
  return { facts: facts.slice(0, MOST_FACTS), uncovered };
}

function rankOf({ hollow, source, locked }: Candidate): number {
  if (hollow) return RANKS.hollow;
  if (source === 'manifest') return locked ? RANKS.locked : RANKS.manifest;
  return RANKS[source];
}

function faultOf({ argv, cwd }: Candidate, directories: ReadonlySet<string>): string | undefined {
  const text = argv.join(' ');
  if (argv.length > MOST_WORDS || text.length > MOST_CHARACTERS) return 'the command is too long';
  if (!text.isWellFormed() || text.includes('\0')) return 'the command is no text';
  return cwd === '.' || directories.has(cwd) ? undefined : `the commit has no directory ${cwd.slice(0, 100)}`;
}

/** The same for the same command, with and without variables: `npm run test` is `npm test`. */
function keyOf({ argv, cwd }: Candidate): string {
  let words = argv[0] === 'env' ? argv.slice(1) : argv;
  while (argv[0] === 'env' && /^\w+=/.test(words[0] ?? '')) words = words.slice(1);
  const [program = '', verb = '', ...rest] = words;
  const isScript = /^(?:npm|pnpm|yarn)$/.test(program);
  if (isScript && /^run(?:-script)?$/.test(verb)) words = [program, ...rest];
  else if (isScript && verb === 't') words = [program, 'test', ...rest];
  return hash([cwd, words]).slice(0, 10);
}

function factOf(key: string, candidate: Candidate, rank: number, quote: Quote): RankedFact {
  const { kind, argv, cwd, path, line, source } = candidate;
  return { id: `${kind}.${key}`, kind, argv, cwd, from: { path, line, quote: quote(path, line) }, source, rank };
}

type Quote = (path: string, line: number) => string;

function quoter(texts: ReadonlyMap<string, string>): Quote {
  const lines = new Map<string, string[]>();
  return (path, line) => {
    const known = lines.get(path) ?? linesOf(texts.get(path) ?? '');
    lines.set(path, known);
    const text = (known[line - 1] ?? '').slice(0, 2 * QUOTED_CHARACTERS).toWellFormed();
    return [...text].slice(0, QUOTED_CHARACTERS).join('');
  };
}
