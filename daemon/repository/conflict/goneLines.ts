/** The texts of a file in a merge. A missing file has the text ''. */
export interface Versions {
  base: string;
  ours: string;
  theirs: string;
  result: string;
}

export interface GoneLine {
  side: 'ours' | 'theirs';
  text: string;
}

/**
 * The lines that a side added to the base and that the result lacks. Order, white space and a comma at the end do not
 * count. An entry that is last on both sides gets a comma in their merge. Lines with nothing but brackets say nothing,
 * so they do not count.
 */
export function goneLines({ base, ours, theirs, result }: Versions): GoneLine[] {
  const [before, mine, their, after] = [base, ours, theirs, result].map(countLines) as [Counts, Counts, Counts, Counts];
  const gone: GoneLine[] = [];
  for (const line of new Set([...mine.keys(), ...their.keys()])) {
    const [b, o, t] = [before, mine, their].map((counts) => counts.get(line) ?? 0) as [number, number, number];
    if (o <= b && t <= b) continue;
    // A line that both added may be there once. A line that one side added stays, unless the other removed as many.
    const wanted = o > b && t > b ? Math.max(o, t) : Math.max(0, o + t - b);
    if ((after.get(line) ?? 0) < wanted) gone.push({ side: o > b ? 'ours' : 'theirs', text: line });
  }
  return gone;
}

/** The lines of a text as `goneLines` compares them. */
export function plainLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' ').replace(/ ?,$/, ''))
    .filter((line) => !/^[\s[\](){};,]*$/.test(line));
}

type Counts = Map<string, number>;

function countLines(text: string): Counts {
  const counts: Counts = new Map();
  for (const line of plainLines(text)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
