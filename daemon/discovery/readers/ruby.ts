import { kindOfName } from '../candidate/kindOfName.ts';
import { linesOf, lineWhere } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf } from '../candidate/paths.ts';
import type { Candidate, Reader } from '../candidate/reader.ts';

const MOST_TASKS = 200;
/** A task by its name, or a class of tasks, which has a name of its own unless one is given. */
const TASK =
  /^\s*(?:multitask|task)[\s(]+(?::|["'])?([A-Za-z][\w:-]*)|^\s*(Rake::TestTask|RSpec::Core::RakeTask|RuboCop::RakeTask)\.new(?:[\s(]+(?::|["'])([A-Za-z][\w:-]*))?/;
const OWN_NAMES: Readonly<Record<string, string>> = {
  'Rake::TestTask': 'test',
  'RSpec::Core::RakeTask': 'spec',
  'RuboCop::RakeTask': 'rubocop',
};

/** The gems of a project, and the suite that its files say it has. */
export const gemfile: Reader = {
  reads: (path) => nameOf(path) === 'Gemfile',
  read: ({ path, text, paths }) => {
    const cwd = directoryOf(path);
    const lines = linesOf(text);
    const of = { cwd, path, source: 'manifest' as const, locked: paths.has(inDirectory(cwd, 'Gemfile.lock')) };
    const line = lineWhere(lines, (each) => /^\s*(?:source|gemspec)\b/.test(each));
    const candidates: Candidate[] = [
      { ...of, line, kind: 'package-manager', argv: ['bundle', '--version'] },
      { ...of, line, kind: 'install', argv: ['bundle', 'install'] },
    ];
    const prefix = inDirectory(cwd, 'spec/');
    if (
      paths.has(inDirectory(cwd, '.rspec')) ||
      [...paths].some((each) => each.startsWith(prefix) && /_spec\.rb$/.test(each))
    ) {
      const rspec = lineWhere(lines, (each) => /\brspec\b/.test(each));
      candidates.push({ ...of, line: rspec, kind: 'test', argv: ['bundle', 'exec', 'rspec'] });
    }
    const rubocop = lineWhere(lines, (each) => /^\s*gem\b.*\brubocop\b/.test(each), { otherwise: 0 });
    if (rubocop > 0) candidates.push({ ...of, line: rubocop, kind: 'lint', argv: ['bundle', 'exec', 'rubocop'] });
    return { candidates };
  },
};

/** The tasks of a Rakefile whose names say that they check something. A task in a namespace has another name. */
export const rakefile: Reader = {
  reads: (path) => nameOf(path) === 'Rakefile',
  read: ({ path, text, paths }) => {
    const cwd = directoryOf(path);
    const rake = paths.has(inDirectory(cwd, 'Gemfile')) ? ['bundle', 'exec', 'rake'] : ['rake'];
    const locked = paths.has(inDirectory(cwd, 'Gemfile.lock'));
    const found = new Map<string, Candidate>();
    let namespaces = 0;
    for (const [at, line] of linesOf(text).entries()) {
      if (/^\s*namespace\b/.test(line)) namespaces += 1;
      if (/^end\b/.test(line)) namespaces = 0;
      const [, named, kindOfTask = '', own] = TASK.exec(line) ?? [];
      const name = named ?? own ?? OWN_NAMES[kindOfTask];
      const kind = name === undefined || namespaces > 0 ? undefined : kindOfName(name);
      if (name === undefined || kind === undefined || found.size >= MOST_TASKS || found.has(name)) continue;
      found.set(name, { kind, argv: [...rake, name], cwd, path, line: at + 1, source: 'manifest', locked });
    }
    return { candidates: [...found.values()] };
  },
};
