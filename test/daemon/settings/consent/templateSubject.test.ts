import { expect, test } from 'vitest';
import { chosenTemplateSubject, templateSubject } from '../../../../daemon/settings/consent/templateSubject.ts';
import { TemplatePhase } from '../../../../schemas/definitions/phase/templatePhase.ts';
import { mergeSettings } from '../../../../schemas/repository/mergeSettings.ts';

const chosenBy = (isPersons: boolean) =>
  mergeSettings([{ from: 'devflow.yaml', isPersons, settings: { template: 'mine' }, lineOf: () => 3 }]);
const withPhases = (...phases: object[]) => ({
  name: 'mine',
  version: 2,
  phases: phases.map((phase, nth) => TemplatePhase.parse({ key: `p${nth}`, title: 'A', risk: 'low', ...phase })),
});
const runs = (...argv: string[]) => withPhases({ kind: 'command', commands: [{ argv }] });

test('all that a template runs by itself is asked about, in the order of its phases', () => {
  const template = withPhases(
    { kind: 'step', step: 'discover' },
    { kind: 'agent', instructions: 'Run make.' },
    { kind: 'command', commands: [{ argv: ['make', 'a b'] }, { argv: ['make', '\x1b[2J'] }] },
    { kind: 'evaluate', commands: [{ argv: ['./measure'] }] },
    { kind: 'step', step: 'rehearse' },
    { kind: 'step', step: 'promote' },
  );
  const subject = templateSubject(chosenBy(false), template);
  const place = '(template mine@2, devflow.yaml:3)';
  expect(subject?.lines).toEqual([
    `in phase p0 try the commands that it finds ${place}`,
    `in phase p2 run make 'a b' ${place}`,
    expect.not.stringContaining('\x1b'),
    `in phase p3 run ./measure ${place}`,
    `in phase p4 try the commands of the draft ${place}`,
  ]);
  expect(subject).toMatchObject({ part: 'template', from: ['devflow.yaml'] });
  expect(templateSubject(chosenBy(true), template)).toBeUndefined();
});

test('the hash covers each word of each command, and nothing else of the template', () => {
  const hashOf = (template: ReturnType<typeof runs>) => templateSubject(chosenBy(false), template)?.hash;
  const all = [
    runs('make', 'test'),
    runs('make', 'tesT'),
    runs('make test'),
    withPhases({ kind: 'step', step: 'discover' }),
  ];
  expect(new Set(all.map(hashOf)).size).toBe(4);
  const renamed = withPhases(
    { kind: 'agent' },
    { kind: 'command', title: 'B', commands: [{ argv: ['make', 'test'] }] },
  );
  expect(hashOf({ ...renamed, version: 9 })).toBe(hashOf(runs('make', 'test')));
  expect(hashOf(withPhases({ kind: 'command' }, { kind: 'agent' }))).toBeUndefined();
});

test('a template that nobody chose in a file is not even read', async () => {
  const find = () => Promise.reject(new Error('read'));
  expect(await chosenTemplateSubject(chosenBy(true), find)).toBeUndefined();
  expect(await chosenTemplateSubject(mergeSettings([]), find)).toBeUndefined();
  await expect(chosenTemplateSubject(chosenBy(false), find)).rejects.toThrow('read');
});
