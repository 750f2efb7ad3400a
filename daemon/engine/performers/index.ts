import { awaitArtifact } from './awaitArtifact.ts';
import { commitResolution } from './commitResolution.ts';
import { commitWork } from './commitWork.ts';
import { composeReport } from './composeReport.ts';
import { deliverFiles } from './deliverFiles.ts';
import { disposeSessions } from './disposeSessions.ts';
import { expireApproval } from './expireApproval.ts';
import { findOverlaps } from './findOverlaps.ts';
import { inspectEvaluation } from './inspectEvaluation.ts';
import { inspectWorktree } from './inspectWorktree.ts';
import { landMerge } from './landMerge.ts';
import { lockBindings } from './lockBindings.ts';
import type { Performers } from './performer.ts';
import { performStep } from './performStep.ts';
import { prepareLane } from './prepareLane.ts';
import { prepareReview } from './prepareReview.ts';
import { publishArtifact } from './publishArtifact.ts';
import { readMeasurement } from './readMeasurement.ts';
import { recoverSession } from './recoverSession.ts';
import { restoreBest } from './restoreBest.ts';
import { runCommand } from './runCommand.ts';
import { sendPrompt } from './sendPrompt.ts';
import { startSession } from './startSession.ts';
import { testMerge } from './testMerge.ts';

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
