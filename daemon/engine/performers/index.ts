import { awaitArtifact } from './awaitArtifact.ts';
import { commitWork } from './commitWork.ts';
import { composeReport } from './composeReport.ts';
import { disposeSessions } from './disposeSessions.ts';
import { expireApproval } from './expireApproval.ts';
import { inspectWorktree } from './inspectWorktree.ts';
import { lockBindings } from './lockBindings.ts';
import type { Performers } from './performer.ts';
import { recoverSession } from './recoverSession.ts';
import { runCommand } from './runCommand.ts';
import { sendPrompt } from './sendPrompt.ts';
import { startSession } from './startSession.ts';

export const PERFORMERS: Performers = {
  lockBindings,
  startSession,
  sendPrompt,
  awaitArtifact,
  recoverSession,
  commitWork,
  inspectWorktree,
  runCommand,
  expireApproval,
  disposeSessions,
  composeReport,
};
