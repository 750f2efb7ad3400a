import { calls } from '../daemon/calls.ts';
import type { Approval } from '../define/approval.ts';
import { printApproval } from '../print/approval.ts';

export const action: Approval['show'] = calls('approval.get', printApproval);
