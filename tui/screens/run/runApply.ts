import type { ApplyPlan, ApplyWay } from '../../../schemas/rpc/methods/runApply.ts';
import type { MovedBranch } from '../../../schemas/rpc/views/movedBranch.ts';
import { acceptedName, movedNote, movedQuestion } from '../../../schemas/rpc/views/movedNote.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { field } from '../../model/field.ts';
import { type Choice, type Command, call, type Model, type Step, step } from '../../model/model.ts';
import { toast } from '../../model/toast.ts';
import { type Line, line } from '../../text/line.ts';
import { shortId } from '../../text/runWords.ts';

type ApplyChoice = { way: ApplyWay; branch?: string };

/** Reads what applying would do, lets the person choose how, and asks before it applies. */
export function askToApply(model: Model, { runId }: { runId: string }): Step {
  return step(model, preview(runId, { way: 'auto' }, chooseWay));
}

function preview(
  runId: string,
  wish: ApplyChoice,
  then: (model: Model, plan: ApplyPlan, wish: ApplyChoice) => Step,
): Command {
  const params = { runId, ...wish, dryRun: true };
  return call('run.apply', params, { doing: 'reading the branch', then: (model, plan) => then(model, plan, wish) });
}

/** If the branch cannot take the changes, a new branch and the commands remain. */
function chooseWay(model: Model, plan: ApplyPlan): Step {
  const { runId, blocked, does } = plan;
  if (does === 'nothing' && !blocked) return step(model, applyAsShown(plan, { way: 'auto' }));
  const warned = blocked ? toast(model, 'bad', `${blocked.message} ${inChoiceWords(blocked.hint)}`) : model;
  const title = blocked
    ? `Run ${shortId(runId)} cannot be applied now`
    : `Apply run ${shortId(runId)}: ${sizeOf(plan)}`;
  return step({
    ...warned,
    overlay: {
      kind: 'choose',
      title,
      field: field(),
      selected: 0,
      choices: [...(blocked ? [] : mergeChoices(plan)), NEW_BRANCH, BY_HAND],
      then: (chosen: Model, value: string) => onChosen(chosen, plan, value),
    },
  });
}

/** Names the choices in a hint that was written for the command line. */
function inChoiceWords(hint: string): string {
  return hint
    .replace('devflow run apply --print shows the commands', `“${BY_HAND.label}” shows the commands`)
    .replace('--branch <name>', `“${NEW_BRANCH.label}”`);
}

const NEW_BRANCH: Choice = {
  value: 'branch',
  label: 'new branch',
  description: 'with the changes of the run; no checkout changes',
};
const BY_HAND: Choice = { value: 'print', label: 'by hand', description: 'show the commands for git and gh' };

function mergeChoices({ does, target }: ApplyPlan): Choice[] {
  const onto = `on ${target ?? ''}`;
  const merge = { value: 'merge', label: 'merge commit', description: onto };
  const squash = { value: 'squash', label: 'squash', description: `${onto}, as one commit` };
  return does === 'fast_forward'
    ? [{ value: 'auto', label: 'fast-forward', description: onto }, merge, squash]
    : [merge, squash];
}

function onChosen(model: Model, plan: ApplyPlan, value: string): Step {
  const { runId, lines } = plan;
  if (value === 'print')
    return step({
      ...model,
      overlay: { kind: 'message', title: 'By hand', lines: lines.map((each) => line(each)), top: 0 },
    });
  if (value !== 'branch') return step(model, preview(runId, { way: value as ApplyWay }, confirmApply));
  return step({
    ...model,
    overlay: {
      kind: 'input',
      title: 'Name of the new branch',
      field: field(),
      mayBeEmpty: false,
      label: 'preview',
      then: (named: Model, branch: string) => step(named, preview(runId, { way: 'branch', branch }, confirmApply)),
    },
  });
}

function confirmApply(model: Model, plan: ApplyPlan, wish: ApplyChoice): Step {
  const { blocked, does, sentence, repoPath, target, onto, moved, notes } = plan;
  if (blocked) return step(toast(model, 'bad', `${blocked.message} ${inChoiceWords(blocked.hint)}`));
  const apply = applyAsShown(plan, wish);
  if (does === 'nothing') return step(model, apply);
  const now = onto === null ? 'The branch is new.' : `${target ?? ''} is at ${onto.slice(0, 12)}.`;
  return step({
    ...model,
    overlay: {
      kind: 'confirm',
      question: moved ? `${sentence} ${movedQuestion(moved)}` : sentence,
      yes: 'y',
      label: 'apply',
      detail: [`In ${repoPath}: ${sizeOf(plan)}. ${now}`, ...notes].join('\n'),
      ...(moved ? { list: movedLines(moved), top: 0 } : {}),
      then: (sure: Model) => step(sure, apply),
    },
  });
}

/** Also where there is nothing to do: the daemon then records work that the branch has already. */
function applyAsShown({ runId, target, onto, head, moved, does }: ApplyPlan, wish: ApplyChoice): Command {
  const seen = moved && does !== 'nothing' ? { head } : {};
  const agreed = { target, onto, head };
  return call('run.apply', { runId, ...wish, ...seen, agreed }, { doing: 'applying', then: toastApplied });
}

function movedLines(moved: MovedBranch): Line[] {
  const { hasApproved, commits, commitCount } = moved;
  if (!hasApproved) return [line(movedNote(moved))];
  const more = commitCount - commits.length;
  const lines = commits.map(({ commit, subject }) => `  ${commit.slice(0, 12)} ${subject}`);
  return [`After ${acceptedName(moved)}:`, ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].map((each) =>
    line(each),
  );
}

function toastApplied(model: Model, { applied, sentence, target, commit }: ApplyPlan): Step {
  if (!applied) return step(toast(model, 'warn', sentence));
  return step(toast(model, 'good', `${target ?? ''} is now at ${(commit ?? '').slice(0, 12)}.`));
}

function sizeOf({ commitCount, totals: { files, insertions, deletions } }: ApplyPlan): string {
  return `${counted(commitCount, 'commit')}, ${counted(files, 'file')}, +${insertions} −${deletions}`;
}
