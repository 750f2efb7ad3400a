import type { Release } from './releases.ts';
import type { Tool } from './tools.ts';

/** A public project, whole as it was released. */
export interface Project {
  name: string;
  language: string;
  release: Release;
  tools: readonly Tool[];
  /** Lines of `.gitignore`, as the project's own repository has them. Absent: the release has the file. */
  ignore?: readonly string[];
  /** Files that the project tracks although it ignores them. */
  tracked?: readonly string[];
  /** True if its build writes a tracked file again. Then a cleanup asks a person. */
  rewrites?: boolean;
  /** Files that the release adds to the project. */
  without?: readonly string[];
  /** A file below `locks/`: a lock file that the release leaves out, or that names packages which no registry here has. */
  lock?: string;
  /** Why it cannot be green here, and a part of what a run then says. `inLanes`: a run without lanes is green. */
  red?: { because: string; says: string; inLanes?: boolean };
}

const PYTHON = ['.venv/', '__pycache__/', '*.egg-info/', 'build/', '.pytest_cache/'];
const RUST = ['/target', '/Cargo.lock'];

/** Small ones: their set-ups and suites take seconds. */
export const PROJECTS: readonly Project[] = [
  {
    name: 'marked',
    language: 'Node, npm',
    release: { from: 'debian', spec: 'node-marked=4.2.3+ds+~4.0.7-2' },
    tools: ['npm'],
  },
  {
    name: 'ms',
    language: 'Node, npm',
    release: { from: 'debian', spec: 'node-ms=2.1.3+~cs0.7.31-3' },
    tools: ['npm'],
    ignore: ['node_modules'],
  },
  {
    name: 'split2',
    language: 'Node, npm without a lock file',
    release: { from: 'npm', spec: 'split2@4.2.0' },
    tools: ['npm'],
    ignore: ['node_modules', 'coverage', '.nyc_output'],
  },
  {
    name: 'typedarray',
    language: 'Node, pnpm',
    release: { from: 'npm', spec: 'typedarray@0.0.6' },
    tools: ['pnpm'],
    ignore: ['node_modules'],
    lock: 'pnpm-lock.yaml',
  },
  {
    name: 'through',
    language: 'Node, yarn',
    release: { from: 'npm', spec: 'through@2.3.8' },
    tools: ['yarn'],
    ignore: ['node_modules'],
    lock: 'yarn.lock',
  },
  {
    name: 'pluggy',
    language: 'Python, uv',
    release: { from: 'pypi', spec: 'pluggy==1.7.0' },
    tools: ['uv'],
  },
  {
    name: 'flask',
    language: 'Python, uv',
    release: { from: 'pypi', spec: 'flask==3.1.3' },
    tools: ['uv'],
    ignore: PYTHON,
  },
  {
    name: 'itsdangerous',
    language: 'Python, pip and a list',
    release: { from: 'pypi', spec: 'itsdangerous==2.2.0' },
    tools: ['python3'],
    ignore: PYTHON,
  },
  {
    name: 'toolz',
    language: 'Python, pip and a group',
    release: { from: 'pypi', spec: 'toolz==1.2.0' },
    tools: ['python3'],
    ignore: PYTHON,
  },
  {
    name: 'idna',
    language: 'Python, pip and an extra',
    release: { from: 'pypi', spec: 'idna==3.20' },
    tools: ['python3'],
    ignore: PYTHON,
  },
  {
    name: 'tabulate',
    language: 'Python, pip and tox',
    release: { from: 'pypi', spec: 'tabulate==0.10.0' },
    tools: ['python3'],
    red: {
      because: 'its build refuses a second directory at the top, and the scripted agent adds one',
      says: 'the check python -m pytest fails',
    },
  },
  {
    name: 'uuid',
    language: 'Go',
    release: { from: 'go', spec: 'github.com/google/uuid@v1.6.0' },
    tools: ['go'],
    ignore: ['*.test'],
  },
  {
    name: 'pflag',
    language: 'Go',
    release: { from: 'go', spec: 'github.com/spf13/pflag@v1.1.0' },
    tools: ['go'],
  },
  {
    name: 'go-humanize',
    language: 'Go',
    release: { from: 'go', spec: 'github.com/dustin/go-humanize@v1.1.0' },
    tools: ['go'],
  },
  {
    name: 'shlex',
    language: 'Rust',
    release: { from: 'crates', spec: 'shlex@2.0.1' },
    tools: ['cargo'],
  },
  {
    name: 'strsim',
    language: 'Rust',
    release: { from: 'crates', spec: 'strsim@0.11.1' },
    tools: ['cargo'],
  },
  {
    name: 'heck',
    language: 'Rust',
    release: { from: 'crates', spec: 'heck@0.5.0' },
    tools: ['cargo'],
    ignore: RUST,
  },
  {
    name: 'file-management',
    language: 'Java, Maven',
    release: { from: 'maven', spec: 'org.apache.maven.shared:file-management:3.1.0' },
    tools: ['mvn'],
    ignore: ['target/'],
    red: {
      because: 'its build refuses files without a licence header, and the scripted agent writes such files',
      says: 'apache-rat-plugin',
    },
  },
  {
    name: 'axmlrpc',
    language: 'Java, Maven',
    release: { from: 'debian', spec: 'axmlrpc=1.13.0-1' },
    tools: ['mvn'],
    red: {
      because: 'green in `main`; its tests listen on port 8080, so two lanes cannot test at once',
      says: 'Failed to bind to /0.0.0.0:8080',
      inLanes: true,
    },
  },
  {
    name: 'json-simple',
    language: 'Java, Maven',
    release: { from: 'debian', spec: 'json-simple=2.3.0-1' },
    tools: ['mvn'],
    tracked: ['pom.xml'],
    rewrites: true,
  },
  {
    name: 'awesome_print',
    language: 'Ruby, Bundler',
    release: { from: 'debian', spec: 'ruby-awesome-print=1.9.2-1' },
    tools: ['ruby'],
    lock: 'Gemfile.lock',
  },
  {
    name: 'rss',
    language: 'Ruby, Bundler',
    release: { from: 'debian', spec: 'ruby3.1=3.1.2-7+deb12u1', below: '.bundle/gems/rss-0.2.9' },
    tools: ['ruby'],
    ignore: ['/.bundle/', '/pkg/', '/tmp/'],
    without: ['rss-0.2.9.gemspec'],
    lock: 'Gemfile.lock',
  },
  {
    name: 'php-text-template',
    language: 'PHP, Composer',
    release: { from: 'debian', spec: 'php-text-template=2.0.4-2' },
    tools: ['php'],
  },
  {
    name: 'enum',
    language: 'PHP, Composer',
    release: { from: 'debian', spec: 'dasprid-enum=1.0.3-4' },
    tools: ['php'],
    ignore: ['/vendor/', '/composer.lock', '.phpunit.result.cache'],
  },
];
