import { findOverlaps } from '../../daemon/kinds/lanes/overlap/findOverlaps.ts';
import { widePlan } from '../daemon/kinds/lanes/overlap/widePlan.ts';
import { quantile } from './figure.ts';

/** `node overlapOnce.ts [scattered]` prints how long the first and the later checks of a plan take in a new process. */
const TASKS = 100;
const LATER = 20;

/** Files across directories, as in a repository that is cut by layers. Only their ends differ. */
const scattered = Array.from({ length: TASKS }, (_, n) => ({
  id: `T${n}`,
  dependsOn: [],
  writeSet: [`src/**/feature${n}.ts`, `lib/**/feature${n}/index.ts`, `test/**/feature${n}.*.ts`, `docs/feature${n}.md`],
}));
const plan = process.argv[2] === 'scattered' ? scattered : widePlan(TASKS);
const [first, ...later] = Array.from({ length: 1 + LATER }, () => {
  const begun = performance.now();
  const found = findOverlaps(plan, { ignoreCase: false, shared: [] });
  const ms = performance.now() - begun;
  if (found.length > 0) throw new Error(`${found.length} pairs overlap: ${JSON.stringify(found[0])}`);
  return ms;
});
later.sort((a, b) => a - b);
console.log(JSON.stringify({ first, later: quantile(later, 0.5) }));
