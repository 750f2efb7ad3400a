import { defined } from '../../../schemas/defined.ts';
import { orElse } from '../../../schemas/orElse.ts';
import { nodeManager } from '../../discovery/candidate/nodeManager.ts';
import { inDirectory } from '../../discovery/candidate/paths.ts';
import { recordOf } from '../../discovery/candidate/reader.ts';
import type { Ecosystem, GuessInput, Install } from './install.ts';

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Installs that write no lock file where there is none. */
const UNLOCKED: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', '--no-package-lock'],
  pnpm: ['install', '--no-lockfile'],
  yarn: ['install', '--no-lockfile'],
  bun: ['install', '--no-save'],
};
/** The option that names the directory of the project. */
const IN_DIRECTORY: Readonly<Record<string, string>> = { npm: '--prefix', pnpm: '--dir', yarn: '--cwd', bun: '--cwd' };

export const nodeInstall: Ecosystem = {
  manifests: ['package.json'],
  installOf(directory, input) {
    const path = inDirectory(directory, 'package.json');
    const manifest = readManifest(input.texts.get(path));
    if (manifest === undefined) return undefined;
    const manager = nodeManager(
      { path, text: '', paths: input.paths, kindOf: () => undefined },
      manifest.packageManager,
    );
    if (manager.lock === undefined && !needsAny(manifest)) return undefined;
    // Elsewhere than in the root, a package without a lock file is rather an example.
    if (directory !== '.' && (manager.lock === undefined || !manager.isOwner)) return undefined;
    const [program = '', ...words] = manager.install;
    const verb = manager.lock === undefined ? (UNLOCKED[program] ?? words) : words;
    const where = directory === '.' ? [] : [IN_DIRECTORY[program] ?? '--cwd', directory];
    const because = manager.lock ?? path;
    return {
      commands: [[...programOf(program, input), ...where, ...verb]],
      because: [because],
      again: [because],
      ...defined({
        installed: isPlugAndPlay(directory, input) ? undefined : installedIn(directory, manager.lock, input),
      }),
    };
  },
  needsNone(directory, { texts }) {
    const manifest = readManifest(texts.get(inDirectory(directory, 'package.json')));
    return manifest !== undefined && !needsAny(manifest);
  },
};

function needsAny(manifest: Record<string, unknown>): boolean {
  return DEPENDENCIES.some((key) => Object.keys(recordOf(manifest[key])).length > 0);
}

/** Node brings corepack, which brings the other managers. */
export function programOf(program: string, { has }: Pick<GuessInput, 'has'>): string[] {
  const isMissing = program !== 'npm' && program !== 'bun' && !has(program) && has('corepack');
  return isMissing ? ['corepack', program] : [program];
}

/** Packages of a workspace can have installed packages of their own. */
function installedIn(directory: string, lock: string | undefined, { workspaces }: GuessInput): Install['installed'] {
  if (lock === undefined) return undefined;
  const members = workspaces.map(({ path }) => path);
  const inside = members.filter((path) => directory === '.' || path.startsWith(`${directory}/`));
  return { lock, directories: [directory, ...inside].map((each) => inDirectory(each, 'node_modules')) };
}

/** Newer yarn installs no directory, unless it is told to. */
function isPlugAndPlay(directory: string, { paths, texts }: GuessInput): boolean {
  const settings = inDirectory(directory, '.yarnrc.yml');
  return paths.has(settings) && !/^nodeLinker:\s*["']?node-modules/m.test(texts.get(settings) ?? '');
}

function readManifest(text: string | undefined): Record<string, unknown> | undefined {
  return text === undefined ? undefined : orElse(() => recordOf(JSON.parse(text)));
}
