import { inspectEvaluation } from '../kinds/evaluate/performers/inspectEvaluation.ts';
import { readMeasurement } from '../kinds/evaluate/performers/readMeasurement.ts';
import { restoreBest } from '../kinds/evaluate/performers/restoreBest.ts';
import { commitResolution } from '../kinds/lanes/performers/commitResolution.ts';
import { findOverlaps } from '../kinds/lanes/performers/findOverlaps.ts';
import { landMerge } from '../kinds/lanes/performers/landMerge.ts';
import { prepareLane } from '../kinds/lanes/performers/prepareLane.ts';
import { prepareReview } from '../kinds/review/performers/prepareReview.ts';
import { performStep } from '../kinds/step/performers/performStep.ts';
import { awaitArtifact } from './performers/awaitArtifact.ts';
import { commitWork } from './performers/commitWork.ts';
import { composeReport } from './performers/composeReport.ts';
import { deliverFiles } from './performers/deliverFiles.ts';
import { disposeSessions } from './performers/disposeSessions.ts';
import { expireApproval } from './performers/expireApproval.ts';
import { inspectWorktree } from './performers/inspectWorktree.ts';
import { lockBindings } from './performers/lockBindings.ts';
import type { Performers } from './performers/performer.ts';
import { publishArtifact } from './performers/publishArtifact.ts';
import { recoverSession } from './performers/recoverSession.ts';
import { runCommand } from './performers/runCommand.ts';
import { sendPrompt } from './performers/sendPrompt.ts';
import { startSession } from './performers/startSession.ts';
import { testMerge } from './performers/testMerge.ts';

export const PERFORMERS: Performers = {
  lockBindings,
  startSession,
  sendPrompt,
  awaitArtifact,
  recoverSession,
  commitWork,
  inspectWorktree,
  publishArtifact,
  commitResolution,
  findOverlaps,
  landMerge,
  prepareLane,
  prepareReview,
  testMerge,
  runCommand,
  inspectEvaluation,
  readMeasurement,
  restoreBest,
  performStep,
  expireApproval,
  deliverFiles,
  disposeSessions,
  composeReport,
};
