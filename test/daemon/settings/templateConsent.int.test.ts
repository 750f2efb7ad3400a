import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSettings } from '../../../daemon/settings/checkSettings.ts';
import { Template } from '../../../schemas/definitions/template.ts';
import { givenSettings as given } from './givenSettings.ts';

/** A template with one phase of commands. */
function templateOf(...commands: string[]): Template {
  const phases = [
    {
      key: 'check',
      title: 'Check',
      kind: 'command',
      risk: 'low',
      commands: commands.map((each) => ({ argv: each.split(' ') })),
    },
  ];
  return Template.parse({ name: 'mine', version: 1, roles: [], phases });
}

describe('the commands of a template', () => {
  test.each(['devflow.yaml', "the person's file for a name"])('that %s chose wait for consent', async (where) => {
    const { settings, at, commit, shared, templates, places } = given({});
    const from = where === 'devflow.yaml' ? where : places.shared;
    if (where === 'devflow.yaml') commit({ 'devflow.yaml': 'template: mine\n' });
    else shared('template: mine\n');
    templates.push(templateOf('make test', 'make lint'));
    const line = (text: string) => `in phase check run ${text} (template mine@1, ${from}:1)`;
    const before = await settings.settle(at);
    expect(before.consents).toMatchObject([
      { part: 'template', state: 'unknown', lines: [line('make test'), line('make lint')], from: [from] },
    ]);
    expect(before.allowed.template).toBeUndefined();
    expect((await settings.settle(at, { allowAll: true })).allowed.template).toBe('mine');
    expect((await settings.decide({ ...at, part: 'verify' }, 'allowed')).allowed.template).toBeUndefined();
    expect((await settings.decide({ ...at, part: 'template' }, 'allowed')).allowed.template).toBe('mine');
    templates[0] = templateOf('make test', 'make lInt');
    expect((await settings.settle(at)).consents).toMatchObject([{ state: 'unknown' }]);
    templates[0] = templateOf('make lint', 'make test');
    expect((await settings.settle(at)).consents).toMatchObject([{ state: 'unknown' }]);
    templates[0] = { ...templateOf('make test', 'make lint'), version: 2 };
    expect((await settings.settle(at)).consents).toMatchObject([{ state: 'allowed' }]);
    expect((await settings.decide(at, 'forbidden')).allowed.template).toBeUndefined();
    expect((await settings.settle(at, { allowAll: true })).allowed.template).toBeUndefined();
  });

  test("that the person's own file or defaults chose need none", async () => {
    const { settings, at, own, templates } = given({ 'devflow.yaml': 'template: mine\n' });
    templates.push(templateOf('make test'));
    own('template: mine\n');
    expect(await settings.settle(at)).toMatchObject({ consents: [], allowed: { template: 'mine' } });
    const defaults = given({}, { template: 'mine', backends: {} } as never);
    defaults.templates.push(templateOf('make test'));
    expect(await defaults.settings.settle(defaults.at)).toMatchObject({ consents: [], allowed: { template: 'mine' } });
  });

  test('ask nothing where there are none, and leave other consents as they are', async () => {
    const { settings, at, templates } = given({ 'devflow.yaml': 'template: mine\nverify: [npm test]\n' });
    templates.push(templateOf());
    const [only, ...others] = (await settings.decide(at, 'allowed')).consents;
    expect(others).toEqual([]);
    templates[0] = templateOf('make test');
    expect((await settings.settle(at)).consents).toMatchObject([
      { part: 'verify', state: 'allowed', hash: only?.hash },
      { part: 'template', state: 'unknown' },
    ]);
    templates.pop();
    expect((await settings.settle(at)).consents).toMatchObject([{ part: 'verify', state: 'allowed' }]);
  });

  test('are named by check with the name of the file that needs no consent', async () => {
    const { at, shared, templates, findTemplate, configDir, places } = given({});
    shared('template: mine\n');
    templates.push(templateOf('make test'));
    const note = expect.stringContaining(basename(places.exact));
    expect(await checkSettings(at, { configDir, findTemplate })).toEqual([
      { file: places.shared, where: 'person', faults: [], note },
    ]);
  });
});
