import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Part } from '../../../../schemas/objective/objective.ts';
import type { ObjectiveDocument } from '../../../../schemas/objective/readObjective.ts';
import { given, type Story } from './given.ts';
import { measurementOf, resultsOf } from './outcomes.ts';

const OBJECTIVE: ObjectiveDocument = {
  targets: [{ metric: 'sharpe', op: 'gte', value: 2 }],
  guards: [],
  measure: { argv: ['npm', 'run', 'backtest'] },
  repeat: { baseline: 3, confirm: 2 },
  stop: { maxIterations: 5, plateau: { patience: 3 } },
};
/** What a measurement brings: the Sharpe ratio, or why there is none. */
type Measured = number | string;
/** By iteration; several for repeats, of which the last goes on. An empty list: the agent touched what is protected. */
type Script = readonly (readonly Measured[])[];
/** Values of other metrics, by iteration. The last one goes on. */
type Others = Readonly<Record<string, readonly number[]>>;

interface Played {
  story: Story;
  /** `iteration part`, for each command that ran. */
  ran: string[];
  restored: string[];
}

/** Performs everything that is due until a person must decide or the run ends. */
export function play(from: Story, script: Script, holdout: Measured = 2, others: Others = {}): Played {
  const ran: string[] = [];
  const restored: string[] = [];
  let story = from;
  for (let steps = 0; steps < 500; steps += 1) {
    const [effect] = decide(story.run).filter(({ type }) => type !== 'composeReport' && type !== 'disposeSessions');
    if (!effect) break;
    if (effect.type === 'restoreBest') restored.push(effect.best);
    if (effect.type === 'runCommand') ran.push(`${nthOf(story.run)} ${effect.env?.DEVFLOW_SPLIT}`);
    const outcome = outcomeOf(story.run, effect as never, script, holdout);
    story = story.on(withOthers(outcome, nthOf(story.run), others));
  }
  return { story, ran, restored };
}

function withOthers(outcome: Outcome, nth: number, others: Others): Outcome {
  if (outcome.type !== 'measured') return outcome;
  const { measurement } = outcome;
  const more = Object.entries(others).map(([metric, values]) => [metric, values[nth] ?? values.at(-1)]);
  return {
    ...outcome,
    measurement: { ...measurement, metrics: { ...measurement.metrics, ...Object.fromEntries(more) } },
  };
}

export const nthOf = ({ iterations }: Run) => iterations.at(-1)?.nth ?? 0;

export function outcomeOf(
  run: Run,
  effect: EffectOf<'readMeasurement' | 'inspectEvaluation'>,
  script: Script,
  holdout: Measured,
): Outcome {
  const wanted = script[nthOf(run)] ?? [];
  const [usual, touched] = resultsOf(effect, run);
  if (effect.type === 'inspectEvaluation' && wanted.length === 0) return touched as Outcome;
  if (effect.type !== 'readMeasurement') return usual as Outcome;
  const { part, nth } = placeOf(run, effect.commandId);
  const seen = part === 'holdout' ? holdout : (wanted[Math.min(nth, wanted.length - 1)] ?? 0);
  const measurement = typeof seen === 'number' ? measurementOf({ sharpe: seen }) : measurementOf({}, seen);
  return { ...(usual as Extract<Outcome, { type: 'measured' }>), measurement };
}

/** Which part a command measures, and how often this part was measured before. */
function placeOf(run: Run, commandId: string): { part: Part; nth: number } {
  const part = (run.commands.find(({ id }) => id === commandId)?.env?.DEVFLOW_SPLIT ?? 'all') as Part;
  const before = run.evaluations.at(-1)?.measurements.filter((each) => each.part === part) ?? [];
  return { part, nth: before.length };
}

/** A run that is judged by measurements, with at most five iterations. */
export const begin = (objective: Partial<ObjectiveDocument> = {}, behaviour?: Run['behaviour']) =>
  given({
    template: 'measured',
    objective: { ...OBJECTIVE, ...objective },
    ...(behaviour === undefined ? {} : { behaviour }),
  });
