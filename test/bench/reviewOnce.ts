import { likelyPairs } from '../../daemon/kinds/review/finding/likelyPairs.ts';
import { type Described, type Known, matchBatch, newFindingId } from '../../daemon/kinds/review/finding/sameFinding.ts';
import { quantile } from './figure.ts';

/** `node reviewOnce.ts` prints how long the first and the later clusterings of a large review take in a new process. */
const REVIEWERS = 8;
const EACH = 125;
const LATER = 20;
const ASPECTS = ['length', 'encoding', 'locking', 'timeout', 'ordering', 'rounding', 'overflow'];

/** Half of the findings of a reviewer are those of the one before, in other words. */
function batchOf(reviewer: number): Described[] {
  return Array.from({ length: EACH }, (_, index): Described => {
    const defect = Math.floor((reviewer * EACH) / 2) + index;
    const line = 1 + 7 * (defect % 40);
    return {
      path: `src/module${defect % 20}.ts`,
      line,
      symbol: defect % 3 === 0 ? null : `function${defect % 90}`,
      category: defect % 2 === 0 ? 'correctness' : 'security',
      severity: 'medium',
      summary: `Reviewer ${reviewer} thinks that ${ASPECTS[defect % 7]} is wrong where ${ASPECTS[defect % 5]} is checked`,
      quote: `value${defect} = compute(${defect});`,
      anchor: { line, text: `value${defect}=compute(${defect});`.padEnd(100, 'x'), occurrence: 1 },
    };
  });
}

const batches = Array.from({ length: REVIEWERS }, (_, reviewer) => batchOf(reviewer));

function cluster(): { known: number; pairs: number } {
  const known: Known[] = [];
  for (const batch of batches) {
    const matched = matchBatch(known, batch, { claims: true });
    for (const [index, finding] of batch.entries()) {
      if (matched[index] === null) known.push({ ...finding, id: newFindingId('run', 'review', finding, 0) });
    }
  }
  return { known: known.length, pairs: likelyPairs(known, { samePlace: true }).length };
}

const [first, ...later] = Array.from({ length: 1 + LATER }, () => {
  const begun = performance.now();
  const { known, pairs } = cluster();
  const ms = performance.now() - begun;
  if (known !== 562 || pairs === 0) throw new Error(`${known} findings and ${pairs} pairs`);
  return ms;
});
later.sort((a, b) => a - b);
console.log(JSON.stringify({ first, later: quantile(later, 0.5) }));
