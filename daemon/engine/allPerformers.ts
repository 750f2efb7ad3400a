import type { PhaseKind } from '../../schemas/enums.ts';
import type { EffectOfKind } from '../kinds/effects.ts';
import { inspectEvaluation } from '../kinds/evaluate/performers/inspectEvaluation.ts';
import { readMeasurement } from '../kinds/evaluate/performers/readMeasurement.ts';
import { restoreBest } from '../kinds/evaluate/performers/restoreBest.ts';
import { commitResolution } from '../kinds/lanes/performers/commitResolution.ts';
import { findOverlaps } from '../kinds/lanes/performers/findOverlaps.ts';
import { landMerge } from '../kinds/lanes/performers/landMerge.ts';
import { prepareLane } from '../kinds/lanes/performers/prepareLane.ts';
import { testMerge } from '../kinds/lanes/performers/testMerge.ts';
import { prepareReview } from '../kinds/review/performers/prepareReview.ts';
import { performStep } from '../kinds/step/performers/performStep.ts';
import { awaitArtifact } from './performers/awaitArtifact.ts';
import { checkRule } from './performers/checkRule.ts';
import { commitWork } from './performers/commitWork.ts';
import { composeReport } from './performers/composeReport.ts';
import { deliverFiles } from './performers/deliverFiles.ts';
import { disposeSessions } from './performers/disposeSessions.ts';
import { expireApproval } from './performers/expireApproval.ts';
import { finishSetup } from './performers/finishSetup.ts';
import { inspectWorktree } from './performers/inspectWorktree.ts';
import { lockBindings } from './performers/lockBindings.ts';
import type { Performers } from './performers/performer.ts';
import { placeWorktree } from './performers/placeWorktree.ts';
import { publishArtifact } from './performers/publishArtifact.ts';
import { recoverSession } from './performers/recoverSession.ts';
import { runCommand } from './performers/runCommand.ts';
import { sendMessage } from './performers/sendMessage.ts';
import { sendPrompt } from './performers/sendPrompt.ts';
import { startSession } from './performers/startSession.ts';

/** The performers of effects that only a kind of phase has. A missing kind or effect does not compile. */
const OF_KINDS: { readonly [K in PhaseKind]: Pick<Performers, EffectOfKind[K]['type']> } = {
  agent: {},
  command: {},
  direct: {},
  evaluate: { inspectEvaluation, readMeasurement, restoreBest },
  lanes: { commitResolution, findOverlaps, landMerge, prepareLane, testMerge },
  review: { prepareReview },
  step: { performStep },
};

export const PERFORMERS: Performers = {
  ...OF_KINDS.agent,
  ...OF_KINDS.command,
  ...OF_KINDS.direct,
  ...OF_KINDS.evaluate,
  ...OF_KINDS.lanes,
  ...OF_KINDS.review,
  ...OF_KINDS.step,
  lockBindings,
  startSession,
  sendMessage,
  sendPrompt,
  awaitArtifact,
  recoverSession,
  commitWork,
  inspectWorktree,
  publishArtifact,
  placeWorktree,
  runCommand,
  finishSetup,
  expireApproval,
  checkRule,
  deliverFiles,
  disposeSessions,
  composeReport,
};
