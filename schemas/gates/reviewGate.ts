import { counted } from '../text/phrases.ts';

/** The subject of a gate of a review. */
interface Subject {
  open?: string[];
  /** The facts about the one finding that the gate is about. */
  details?: string[];
  rounds?: { round: number; reason: string; toFix: number; commit: string | null }[];
}

/** The open findings of a review, and what came of each round, a sentence each. Empty for other gates. */
export function reviewGateItems(subject: Readonly<Record<string, unknown>>): string[] {
  const { open = [], details = [], rounds = [] } = subject as Subject;
  return [...open, ...details, ...rounds.map(roundSentence)];
}

const LOOKS: Readonly<Record<string, string>> = {
  full: 'a look at the whole change',
  delta: 'a look at the fix',
  closing: 'a closing look',
  changes_requested: 'changes that a person asked for',
};

function roundSentence({ round, reason, toFix, commit }: NonNullable<Subject['rounds']>[number]): string {
  const what = `Round ${round}: ${LOOKS[reason] ?? reason}`;
  if (toFix === 0 && commit === null) return what;
  const came = commit === null ? 'no file changed' : `fixed in ${commit.slice(0, 12)}`;
  return `${what}; ${counted(toFix, 'finding')} to fix, ${came}`;
}
