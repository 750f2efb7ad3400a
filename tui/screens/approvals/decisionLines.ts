import { gateFindingItems, openIssues } from '../../../schemas/findings/locatedFinding.ts';
import { reviewGateItems } from '../../../schemas/gates/reviewGate.ts';
import { type SharedReason, sharedReasonWords } from '../../../schemas/kinds/lanes/sharedReason.ts';
import { probePlanLines } from '../../../schemas/kinds/step/probePlan.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { labelled } from '../../text/labelled.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';

/** All that one of devflow's own gates asks about, and what each decision does. */
export function decisionLines(approval: ApprovalDetail, columns: number): Line[] {
  const { question, subject } = approval;
  const bullets = bulletLines(itemsOf(subject), columns);
  const probes = probePlanLines(subject).flatMap((each) => (each === '' ? [EMPTY] : wrap(each, columns)));
  return [
    ...wrap(withLocalTimes(question), columns),
    EMPTY,
    ...(bullets.length > 0 ? [...bullets, EMPTY] : []),
    ...(probes.length > 0 ? [...probes, EMPTY] : []),
    ...consequenceLines(approval, columns),
  ];
}

export function bulletLines(items: readonly string[], columns: number): Line[] {
  return items.flatMap((item) =>
    wrap(item, columns - 4).map((each, nth) => line(nth === 0 ? span('  • ', theme.accent) : '    ', ...each)),
  );
}

const WORDS = { approve: 'approve', request_changes: 'changes', reject: 'reject', abort: 'abort' } as const;

/** The consequence of each possible decision. */
export function consequenceLines({ consequences = {}, actions }: ApprovalDetail, columns: number): Line[] {
  return actions.flatMap((action) => {
    const sentence = consequences[action];
    return sentence === undefined ? [] : labelled(WORDS[action], sentence, columns, 10);
  });
}

interface Subject {
  pairs?: { a: string; b: string; reasons?: SharedReason[] }[];
  paths?: string[];
  faults?: string[];
  results?: { argv: string[]; reason: string; stdoutPath: string }[];
  ejections?: { with: string[]; results: { argv: string[]; reason: string }[] }[];
}

/** Everything that the question only counts. */
function itemsOf(subject: ApprovalDetail['subject']): string[] {
  const { pairs = [], paths = [], faults = [], results = [], ejections = [] } = subject as Subject;
  return [
    ...pairs.map(({ a, b, reasons = [] }) => `${a}, ${b}: ${reasons.map(sharedReasonWords).join('; ')}`),
    ...paths,
    ...openIssues(subject),
    ...gateFindingItems(subject),
    ...reviewGateItems(subject),
    ...faults.map((fault) => `An earlier resolution was refused: ${fault}`),
    ...results.map(({ argv, reason, stdoutPath }) => `${argv.join(' ')}: ${reason}, output in ${stdoutPath}`),
    ...ejections.flatMap(({ with: others, results: failed }) => {
      const where = others.length > 0 ? `together with ${others.join(', ')}` : 'on this lane';
      return failed.map(({ argv, reason }) => `${argv.join(' ')}, ${where}: ${reason}`);
    }),
  ];
}
