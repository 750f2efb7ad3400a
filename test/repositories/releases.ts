import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { has, output, personsPath } from './shell.ts';

export interface Release {
  from: 'npm' | 'pypi' | 'crates' | 'go' | 'maven' | 'debian';
  /** Name and version, as the registry's client takes it. */
  spec: string;
  /** The project's directory in the release. */
  below?: string;
}

/** The unpacked release. The registry's own client brings it once. Throws a sentence if it cannot. */
export async function bringRelease(cache: string, release: Release): Promise<string> {
  const id = createHash('sha256').update(JSON.stringify(release)).digest('hex').slice(0, 16);
  const place = join(cache, 'releases', id);
  if (existsSync(place)) return place;
  mkdirSync(join(cache, 'releases'), { recursive: true });
  // Unpacks beside the final place and renames, because a run may be killed.
  const draft = mkdtempSync(join(cache, '.draft-'));
  try {
    await BRING[release.from](release, draft, cache);
    if (!existsSync(place)) renameSync(join(draft, 'project'), place);
  } finally {
    await output('chmod', ['-R', 'u+w', draft]);
    rmSync(draft, { recursive: true, force: true });
  }
  return place;
}

/** The archive of the project's authors. */
const ORIGINAL = /\.orig\.tar\.\w+$/;

type Bring = (release: Release, draft: string, cache: string) => Promise<void>;

const BRING: Readonly<Record<Release['from'], Bring>> = {
  async npm({ spec }, draft) {
    await output('npm', ['pack', '--silent', '--pack-destination', draft, spec]);
    await unpack(draft, /\.tgz$/);
  },
  async pypi({ spec }, draft) {
    const flags = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-binary=:all:', '--dest', draft];
    await output('python3', ['-m', 'pip', 'download', ...flags, spec]);
    await unpack(draft, /\.(?:tar\.gz|zip)$/);
  },
  async crates({ spec }, draft) {
    const [name = '', version = ''] = spec.split('@');
    const manifest = ['[package]', 'name = "scratch"', 'version = "0.0.0"', '[lib]', 'path = "lib.rs"'];
    writeFileSync(join(draft, 'Cargo.toml'), [...manifest, '[dependencies]', `${name} = "=${version}"`, ''].join('\n'));
    writeFileSync(join(draft, 'lib.rs'), '');
    const env = { ...process.env, RUSTUP_HOME: rustupHome(), CARGO_HOME: join(draft, 'cargo') };
    await output('cargo', ['fetch', '--quiet'], { cwd: draft, env });
    const sources = join(draft, 'cargo', 'registry', 'src');
    const [index = ''] = readdirSync(sources);
    renameSync(join(sources, index, `${name}-${version}`), join(draft, 'project'));
    rmSync(join(draft, 'project', '.cargo-ok'), { force: true });
  },
  async go({ spec }, draft) {
    const env = { ...process.env, GOMODCACHE: join(draft, 'modules'), GOFLAGS: '-modcacherw' };
    const said = await output('go', ['mod', 'download', '-json', spec], { cwd: draft, env });
    cpSync((JSON.parse(said) as { Dir: string }).Dir, join(draft, 'project'), { recursive: true });
  },
  async maven({ spec }, draft) {
    const artifact = `-Dartifact=${spec}:zip:source-release`;
    await output('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${draft}`], { cwd: draft });
    await unpack(draft, /\.zip$/);
  },
  async debian({ spec, below = '.' }, draft, cache) {
    const apt = await debianSources(cache);
    const failed = await output('apt-get', [...apt, 'source', '--tar-only', '-q', spec], { cwd: draft }).catch(
      (error: Error) => error,
    );
    // Some mirrors lack Debian's changes, or parts of other projects. The project itself is one archive.
    const isThere = readdirSync(draft).some((name) => ORIGINAL.test(name));
    if (failed instanceof Error && !isThere) throw failed;
    await unpack(draft, ORIGINAL);
    if (below === '.') return;
    renameSync(join(draft, 'project'), join(draft, 'whole'));
    renameSync(join(draft, 'whole', below), join(draft, 'project'));
  },
};

export const rustupHome = (): string => process.env.RUSTUP_HOME ?? join(process.env.HOME ?? '', '.rustup');

/** An archive has one directory with everything, or is the directory itself. */
async function unpack(draft: string, kind: RegExp): Promise<void> {
  const [archive] = readdirSync(draft).filter((name) => kind.test(name));
  if (archive === undefined) throw new Error(`the registry gave no archive of kind ${kind.source}`);
  const into = join(draft, 'unpacked');
  mkdirSync(into);
  const path = join(draft, archive);
  if (archive.endsWith('.zip')) await output('python3', ['-m', 'zipfile', '--extract', path, into]);
  else await output('tar', ['--no-same-owner', '-xf', path, '-C', into]);
  const [top = '', ...others] = readdirSync(into);
  renameSync(others.length === 0 ? join(into, top) : into, join(draft, 'project'));
}

let prepared: Promise<string[]> | undefined;

/** Options for apt that read Debian's sources without a change of this machine. */
function debianSources(cache: string): Promise<string[]> {
  prepared ??= prepare();
  return prepared;

  async function prepare(): Promise<string[]> {
    if (!has('apt-get')) throw new Error('there is no apt-get here, which brings sources of Debian');
    const home = join(cache, 'apt');
    for (const each of ['lists/partial', 'archives/partial', 'parts']) mkdirSync(join(home, each), { recursive: true });
    for (const file of aptFiles()) {
      const text = readFileSync(file, 'utf8');
      const sources = text.replace(/^Types:.*$/gm, 'Types: deb-src').replace(/^deb\s/gm, 'deb-src ');
      writeFileSync(join(home, 'parts', basename(file)), sources);
    }
    const options = [
      `Dir::Etc::SourceList=/dev/null`,
      `Dir::Etc::SourceParts=${join(home, 'parts')}`,
      `Dir::State::Lists=${join(home, 'lists')}`,
      `Dir::Cache::Archives=${join(home, 'archives')}`,
      `Dir::Cache::pkgcache=${join(home, 'pkgcache.bin')}`,
      `Dir::Cache::srcpkgcache=${join(home, 'srcpkgcache.bin')}`,
      // Otherwise apt as root downloads as a user who may not write there.
      'APT::Sandbox::User=root',
    ].flatMap((option) => ['-o', option]);
    await output('apt-get', [...options, 'update', '-q'], { env: { ...process.env, PATH: personsPath() } });
    return options;
  }
}

function aptFiles(): string[] {
  const parts = '/etc/apt/sources.list.d';
  const named = existsSync(parts) ? readdirSync(parts).filter((name) => /\.(?:list|sources)$/.test(name)) : [];
  return [...named.map((name) => join(parts, name)), '/etc/apt/sources.list'].filter((file) => existsSync(file));
}
