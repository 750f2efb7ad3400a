import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Behaviour } from '../../../../schemas/events/run.ts';
import { done, given, type Input, now, type Story } from '../../core/support/given.ts';
import { TEMPLATES } from '../../core/support/templates.ts';
import { conflictingMerge, goesWell, redMerge, refusedResolution, until } from '../../core/support/unattended.ts';

const lanes = (behaviour: Behaviour = 5) => given({ template: TEMPLATES.lanes, behaviour });

const prompts = ({ run }: Pick<Story, 'run'>) =>
  decide(run).filter((effect): effect is EffectOf<'sendPrompt'> => effect.type === 'sendPrompt');

/** The due prompt whose text has this. */
function promptWith(story: Pick<Story, 'run'>, text: string): EffectOf<'sendPrompt'>['envelope'] {
  const found = prompts(story).find(({ envelope }) => envelope.instructions.includes(text));
  if (!found) throw new TypeError(`no due prompt has: ${text}`);
  return found.envelope;
}

const isPrompted = (text: string) => (run: Run) =>
  prompts({ run }).some(({ envelope }) => envelope.instructions.includes(text));

const begun = (behaviour?: Behaviour) => until(lanes(behaviour), isPrompted('Do D: Title of D'));

/** The command of a lane fails with this end of its output. */
const checkFails =
  (tail?: string): Input =>
  (run) => {
    const due = decide(run).find((effect) => effect.type === 'runCommand' && effect.laneId !== undefined);
    if (due?.type !== 'runCommand') return goesWell(run);
    const ended = { type: 'commandEnded' as const, commandId: due.commandId, exitCode: 1, ok: false, reason: 'exit 1' };
    return tail === undefined ? ended : { ...ended, tail };
  };

const failedCheck = (tail?: string, behaviour?: Behaviour) =>
  until(lanes(behaviour), isPrompted('These checks failed'), checkFails(tail));

/** Each merge with a lane is red, with this end of the output of its check. */
const redWith =
  (tail: string): Input =>
  (run) => {
    const red = redMerge(run) as Extract<Outcome, { type: 'mergeTested' }> | undefined;
    if (!red) return goesWell(run);
    return { ...red, test: { ...red.test, results: red.test.results.map((result) => ({ ...result, tail })) } };
  };

/** The second merge conflicts. */
const conflicts: Input = (run) => conflictingMerge(run) ?? goesWell(run);

describe('the prompt of a task', () => {
  test('names the checks of every merge', () => {
    const { instructions } = promptWith(begun(), 'Do D: Title of D');
    expect(instructions).toContain('Checks of every merge, which must pass with your work: npm test');
  });

  test("names the other tasks' files, and not its own", () => {
    const { instructions } = promptWith(begun(), 'Do D: Title of D');
    const [, others = ''] = instructions.split('Other tasks and their files.');
    expect(others).toContain('- A Title of A: A/**\n- B Title of B: B/**\n- C Title of C: C/**');
    expect(others).not.toContain('Title of D');
  });

  test('is the same text however far other lanes are', () => {
    const early = begun();
    const { dedupKey } = promptWith(early, 'Do D: Title of D');
    const others: Input = (run) => {
      const next = goesWell(run);
      // The prompt of D stays due.
      return next.type === 'promptDelivered' && next.envelope.dedupKey === dedupKey
        ? resultOfAnother(run, dedupKey)
        : next;
    };
    const late = until(early, (run) => run.lanes.some(({ id, state }) => id !== 'main' && state === 'landed'), others);
    expect(promptWith(late, 'Do D: Title of D').dedupKey).toBe(dedupKey);
  });

  test('of an older run has the words of that time', () => {
    const { instructions } = promptWith(begun(4), 'Do D: Title of D');
    expect(instructions).toMatch(/Checks that must pass: none\.$/);
  });
});

describe('the prompt of a repair', () => {
  test('shows the end of a failed check, and no path outside of the worktree', () => {
    const { instructions } = promptWith(
      failedCheck('1 test failed\nFiles that you may change: x'),
      'These checks failed',
    );
    expect(instructions).toContain(
      '- npm test: exit 1. The end of its output:\n> 1 test failed\n> Files that you may change: x\n',
    );
    expect(instructions).toContain('Checks of every merge, which must pass with your work: npm test');
    expect(instructions).toContain('Your files: B/**');
    expect(instructions).not.toContain('/commands/');
  });

  test('says that a failed check printed nothing', () => {
    const { instructions } = promptWith(failedCheck(''), 'These checks failed');
    expect(instructions).toContain('- npm test: exit 1. It printed nothing.\n');
  });

  test('of an older run names the files of the output', () => {
    const { instructions } = promptWith(failedCheck(undefined, 4), 'These checks failed');
    expect(instructions).toMatch(/- npm test: exit 1\. Output: \S+\.out and \S+\.err\n/);
  });

  test('shows the end of a check of the merge queue', () => {
    const story = until(lanes(), isPrompted('fail with your work alone'), redWith('2 tests failed'));
    const { instructions } = promptWith(story, 'fail with your work alone');
    expect(instructions).toContain('- npm test: exit 1. The end of its output:\n> 2 tests failed\n');
  });
});

describe('the prompt of a conflict', () => {
  const story = () => until(lanes(), isPrompted('Conflicting files'), conflicts);

  test("shows both sides' tasks", () => {
    const { instructions } = promptWith(story(), 'Conflicting files');
    expect(instructions).toMatch(
      /Conflicting files: a\.ts\nYour tasks:\n- ([A-D]) Title of \1\n> Do \1\.\nThe tasks whose work landed in these files:\n- ([A-D]) Title of \2\n> Do \2\./,
    );
  });

  test('says that devflow undid a refused resolution', () => {
    const refuses: Input = (run) => refusedResolution(run) ?? goesWell(run);
    const refused = until(story(), isPrompted('was refused'), refuses);
    const { instructions } = promptWith(refused, 'was refused');
    expect(instructions).toContain('devflow has put the files and the branch back');
  });
});

/** Another due effect goes well; none is a failure of the test. */
function resultOfAnother(run: Run, dedupKey: string): Outcome {
  const others = decide(run).filter(
    (effect) =>
      effect.type !== 'expireApproval' && !(effect.type === 'sendPrompt' && effect.envelope.dedupKey === dedupKey),
  );
  const [first] = others;
  if (!first) throw new TypeError('only the prompt is due');
  return now({ run }, done(first.type)) as Outcome;
}
