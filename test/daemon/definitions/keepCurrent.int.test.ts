import { type FSWatcher, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCurrentDefinitions } from '../../../daemon/definitions/currentDefinitions.ts';
import { createDefinitionKeeper } from '../../../daemon/definitions/keepCurrent.ts';
import { packagePlaces } from '../../../daemon/definitions/places.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import { createDefinitions } from '../../../daemon/store/definitions.ts';
import { watchDirectory } from '../../../daemon/system/watchDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { silent } from '../engine/local/support/performing.ts';
import { type Config, givenConfig, templateText } from './givenConfig.ts';

const database = useDatabase();

/** What the daemon does with the definitions, over a database and directories of the test's own. */
async function keeping({ paths }: Config, watch?: typeof watchDirectory) {
  const files = createCurrentDefinitions(packagePlaces(), paths);
  const store = createDefinitions(database().drizzle);
  files.replace((await store.seed(files.current())).inForce);
  const bus = createBus();
  const openRuns: { id: string }[] = [];
  const told: string[] = [];
  bus.listen(null, ({ hints }) => told.push(...hints.map(({ event }) => event)));
  const keeper = createDefinitionKeeper({
    files,
    store,
    paths,
    bus,
    openRuns: () => openRuns,
    log: silent,
    ...(watch && { watch }),
  });
  onTestFinished(() => keeper.close());
  keeper.start();
  const mine = async () => {
    const templates = await store.listTemplates();
    return templates.filter(({ source }) => source === 'user').map(({ name }) => name);
  };
  const has = (...names: string[]) => eventually(async () => expect(await mine()).toEqual(names));
  const faults = () => files.current().errors.map(({ file, line, message }) => ({ file, line, message }));
  return { files, store, keeper, told, openRuns, has, faults };
}

it('takes up files of a directory that appears later, and one notification says so', async () => {
  const config = givenConfig();
  const { has, told } = await keeping(config);
  config.write('templates/mine@1.yaml', templateText('mine'));
  await has('mine');
  await eventually(() => expect(told).toEqual(['definitions.changed']));
});

it('has what was written before the call in force when it answers, also while it reads', async () => {
  const config = givenConfig();
  const { keeper, store, faults } = await keeping(config);
  config.write('templates/mine@1.yaml', templateText('mine'));
  const first = keeper.takeUp();
  config.write('templates/other@1.yaml', templateText('other'));
  await keeper.takeUp();
  expect((await store.getTemplate('other')).published).toBe(true);
  await first;
  expect((await store.getTemplate('mine')).published).toBe(true);
  expect(faults()).toEqual([]);
});

it('finds a template and a persona whose files it did not notice yet', async () => {
  const config = givenConfig();
  const { keeper, store } = await keeping(config, async () => ({ close() {} }));
  const find = (name: string) => keeper.lookAgain(() => store.getTemplate(name));
  await expect(find('mine')).rejects.toThrowError('There is no template mine');
  config.write('templates/mine@1.yaml', templateText('mine'));
  expect((await find('mine')).published).toBe(true);
  config.write(
    'personas/me@1.yaml',
    'name: me\nversion: 1\nbackend: fake\ncapabilities: [code_edit]\nmaxRiskLevel: low\n',
  );
  expect((await keeper.lookAgain(() => store.getPersona('me'))).published).toBe(true);
});

it('finds a newer version whose file it did not notice yet', async () => {
  const config = givenConfig();
  const { keeper, store } = await keeping(config, async () => ({ close() {} }));
  const version = async () => (await keeper.lookAgain(() => store.getTemplate('mine'))).version;
  config.write('templates/mine@1.yaml', templateText('mine'));
  expect(await version()).toBe(1);
  config.write('templates/mine@2.yaml', templateText('mine').replace('version: 1', 'version: 2'));
  expect(await version()).toBe(2);
  const persona = (nth: number) =>
    `name: me\nversion: ${nth}\nbackend: fake\ncapabilities: [code_edit]\nmaxRiskLevel: low\n`;
  for (const nth of [1, 2]) {
    config.write(`personas/me@${nth}.yaml`, persona(nth));
    expect((await keeper.lookAgain(() => store.getPersona('me'))).version).toBe(nth);
  }
  store.seed = () => Promise.reject(new Error('read again without a new file'));
  expect(await version()).toBe(2);
  expect(keeper.problems()).toEqual([]);
});

it('says so when it cannot take a file up', async () => {
  const config = givenConfig();
  const { keeper, store } = await keeping(config);
  await eventually(() => expect(keeper.problems()).toEqual([]));
  store.seed = () => Promise.reject(new Error('no database'));
  await expect(keeper.takeUp()).rejects.toThrowError(
    'The file is published, but devflow did not take it up: no database.',
  );
});

it('takes up a file that an editor writes beside and renames, and forgets a removed one', async () => {
  const config = givenConfig();
  const { has } = await keeping(config);
  const draft = config.write('templates/.mine.swp', templateText('mine'));
  const file = join(config.paths.userTemplates, 'mine@1.yaml');
  renameSync(draft, file);
  await has('mine');
  rmSync(file);
  await has();
});

it('reads again after the directory was replaced, and after the configuration directory was', async () => {
  const config = givenConfig();
  const { has } = await keeping(config);
  const { userTemplates, configDir } = config.paths;
  config.write('templates/mine@1.yaml', templateText('mine'));
  await has('mine');
  renameSync(userTemplates, `${userTemplates}.old`);
  await has();
  config.write('templates/other@1.yaml', templateText('other'));
  await has('other');
  renameSync(configDir, `${configDir}.old`);
  await has();
  config.write('templates/mine@1.yaml', templateText('mine'));
  await has('mine');
});

it('notices saves in a configuration directory that took the place of another at once', async () => {
  const config = givenConfig();
  const { configDir } = config.paths;
  config.write('templates/mine@1.yaml', templateText('mine'));
  const { has } = await keeping(config);
  await has('mine');
  mkdirSync(join(`${configDir}.new`, 'templates'), { recursive: true });
  renameSync(configDir, `${configDir}.old`);
  renameSync(`${configDir}.new`, configDir);
  await has();
  config.write('templates/other@1.yaml', templateText('other'));
  await has('other');
});

it('takes up the other files beside one that the database cannot store', async () => {
  const config = givenConfig();
  const version = config.write(
    'templates/mine@3000000000.yaml',
    templateText('mine').replace('version: 1', 'version: 3000000000'),
  );
  const text = config.write('templates/nul@1.yaml', templateText('nul', { title: '"a\\0b"' }));
  config.write('templates/good@1.yaml', templateText('good'));
  const { has, faults } = await keeping(config);
  await has('good');
  expect(faults()).toEqual([
    { file: version, line: 2, message: 'must be at most 2147483647' },
    { file: text, line: 9, message: 'has a NUL or half of a character: leave it out' },
  ]);
});

it('follows a link to a directory, and one to a file', async () => {
  const config = givenConfig();
  const { root, paths } = config;
  const { has } = await keeping(config);
  for (const directory of ['one', 'two', 'three']) mkdirSync(join(root, directory));
  symlinkSync(join(root, 'one'), paths.userTemplates);
  writeFileSync(join(root, 'one/mine@1.yaml'), templateText('mine'));
  await has('mine');
  symlinkSync(join(root, 'three/linked@1.yaml'), join(root, 'one/linked@1.yaml'));
  writeFileSync(join(root, 'three/linked@1.yaml'), templateText('linked'));
  await has('linked', 'mine');
  writeFileSync(join(root, 'two/other@1.yaml'), templateText('other'));
  symlinkSync(join(root, 'two'), `${paths.userTemplates}.new`);
  renameSync(`${paths.userTemplates}.new`, paths.userTemplates);
  await has('other');
});

it('shows the fault of a broken file with its line, until it is repaired', async () => {
  const config = givenConfig();
  const { has, faults, told } = await keeping(config);
  const broken = templateText('mine').replace('risk: low', 'risk: none');
  const file = config.write('templates/mine@1.yaml', broken);
  await eventually(() => expect(faults()).toMatchObject([{ file, line: 10 }]));
  expect(told).toEqual(['definitions.changed']);
  writeFileSync(file, templateText('mine'));
  await has('mine');
  await eventually(() => expect(faults()).toEqual([]));
  expect(told).toEqual(['definitions.changed', 'definitions.changed']);
});

it('keeps a published version in force when its file changes, also after a restart', async () => {
  const config = givenConfig();
  const file = config.write('templates/mine@1.yaml', templateText('mine'));
  const first = await keeping(config);
  await first.has('mine');
  writeFileSync(file, templateText('mine', { title: 'Do something else' }));
  const message = 'mine@1 was published with other content, which stays in force; give yours another version';
  await eventually(() => expect(first.faults()).toMatchObject([{ file, message }]));
  expect((await first.store.getTemplate('mine')).template.phases[0]?.title).toBe('Do it');
  await first.keeper.close();

  const second = await keeping(config);
  expect(second.faults()).toMatchObject([{ file, message }]);
  expect((await second.store.getTemplate('mine')).template.phases[0]?.title).toBe('Do it');
  writeFileSync(file, templateText('mine'));
  await eventually(() => expect(second.faults()).toEqual([]));
});

it('compiles a changed artifact schema again, and an open run keeps the one that it had', async () => {
  const config = givenConfig();
  const schema = (required: string[]) =>
    JSON.stringify({ $id: 'mine/thing@1', type: 'object', required, properties: { a: {} } });
  const file = config.write('artifacts/mine/thing@1.json', schema([]));
  const { files, openRuns, faults } = await keeping(config);
  const isValid = (registry = files.registry) => registry.validateArtifact('mine/thing@1', {}).ok;
  expect(isValid()).toBe(true);
  openRuns.push({ id: 'open' });
  writeFileSync(file, schema(['a']));
  await eventually(() => expect(isValid()).toBe(false));
  expect([isValid(files.registryOf('open')), isValid(files.registryOf('later'))]).toEqual([true, false]);
  rmSync(file);
  config.write('templates/mine@1.yaml', templateText('mine', { schema: 'mine/thing@1' }));
  await eventually(() => expect(faults()).toMatchObject([{ message: expect.stringContaining('mine/thing@1') }]));
  expect(isValid(files.registryOf('open'))).toBe(true);
  expect(() => isValid(files.registryOf('later'))).toThrow('There is no artifact schema mine/thing@1');
  config.write('artifacts/mine/thing@1.json', schema([]));
  await eventually(() => expect(faults()).toEqual([]));
  openRuns.pop();
  config.write('artifacts/mine/thing@1.json', schema(['a']));
  await eventually(() => expect(isValid(files.registryOf('open'))).toBe(false));
});

it('takes up a thousand files at once', async () => {
  const config = givenConfig();
  const { files, told } = await keeping(config);
  const names = Array.from({ length: 1_000 }, (_, nth) => `mine-${String(nth).padStart(3, '0')}`);
  for (const name of names) config.write(`templates/${name}@1.yaml`, templateText(name));
  const mine = () => files.current().templates.filter(({ source }) => source === 'user');
  await eventually(() => expect(mine().map(({ name }) => name)).toEqual(names));
  expect(told.length).toBeGreaterThan(0);
});

it('reports a directory that the system refuses to watch, and tries again at the next change', async () => {
  const config = givenConfig();
  config.write('templates/mine@1.yaml', templateText('mine'));
  let isFull = true;
  let opened = 0;
  const { keeper, told } = await keeping(config, (directory, onNotice, options) => {
    if (directory !== config.paths.userTemplates || !isFull) return watchDirectory(directory, onNotice, options);
    const open = (): FSWatcher => {
      opened += 1;
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
    };
    return watchDirectory(directory, onNotice, { ...options, open: open as never });
  });
  expect(keeper.problems()).toEqual([
    {
      kind: 'directory',
      file: config.paths.userTemplates,
      message:
        'devflow does not notice changes there until it restarts: ENOSPC: System limit for number of file watchers reached',
    },
  ]);
  expect(told).toEqual(['definitions.changed']);
  expect(opened).toBe(1);
  isFull = false;
  mkdirSync(config.paths.userPersonas);
  await eventually(() => expect(keeper.problems()).toEqual([]));
  await eventually(() => expect(told).toEqual(['definitions.changed', 'definitions.changed']));
});

it('has no timer while nothing happens, and reads nothing after its end', async () => {
  const config = givenConfig();
  config.write('templates/mine@1.yaml', templateText('mine'));
  const { has, keeper, files } = await keeping(config);
  await has('mine');
  config.write('personas/broken@1.yaml', 'name: [\n');
  await eventually(() => expect(files.current().errors).toHaveLength(1));
  await eventually(() =>
    expect(process.getActiveResourcesInfo().filter((each) => each === 'FSEventWrap')).toHaveLength(3),
  );
  await keeper.close();
  await eventually(() => expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap'));
  expect(readdirSync(config.paths.userPersonas)).toEqual(['broken@1.yaml']);
});
