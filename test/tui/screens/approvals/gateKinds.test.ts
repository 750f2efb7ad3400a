import { expect, test } from 'vitest';
import { GateKind } from '../../../../schemas/enums.ts';
import { detail, gate, given, lists, press, text, toasts } from '../givenScreen.ts';

const ID = '11111111-gate';

test.each([...GateKind.options, 'of_a_newer_daemon'] as GateKind[])('a gate of kind %s is shown in words', (kind) => {
  const approval = detail(ID, { kind, subject: { reason: 'It is so.' }, actions: ['approve', 'reject'] });
  const answers = lists({ 'approval.list pending': [gate(ID, { kind })], [`approval.get ${ID}`]: approval });
  const shown = given({ screen: 'approval', id: ID }, answers);
  const seen = [shown, press(shown, 'tab').model, press(shown, 'R').model, given({ screen: 'approvals' }, answers)];
  expect(seen.map(text).join('\n')).not.toContain('undefined');
  const decided = press(shown, 'a').commands.find((command) => command.type === 'decide');
  const result = {
    decisionId: 'd',
    created: true,
    approvalId: ID,
    runId: 'r',
    state: 'approved',
    action: 'approve',
  } as const;
  const said = decided ? toasts(decided.then(shown, result).model) : [];
  expect(said.join('\n')).toMatch(/^Approved: .* of run \w+\. (?:[A-Z]|devflow )/);
});

test('the gate of a set-up that failed shows the end of its output', () => {
  const subject = { code: 'setup_failed', why: 'npm ci: exit 1', tail: 'npm error code E404\nnpm error 404' };
  const approval = detail(ID, { gateKey: 'setup_failed', kind: 'recovery', subject, actions: ['approve', 'reject'] });
  const shown = text(given({ screen: 'approval', id: ID }, lists({ [`approval.get ${ID}`]: approval })));
  expect(shown).toMatch(/Last output:\s+npm error code E404\s+npm error 404/);
});
