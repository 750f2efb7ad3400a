import { kindOfName } from '../candidate/kindOfName.ts';
import { linesOf, lineWhere } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf } from '../candidate/paths.ts';
import { type Candidate, type Reader, recordOf, textsIn } from '../candidate/reader.ts';
import { isHollow } from '../candidate/scriptCommands.ts';

const MOST_SCRIPTS = 200;
const SCRIPT_NAME = /^[a-zA-Z][\w:-]{0,99}$/;
const SUITES = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'];

/** The scripts of a PHP package, and PHPUnit where it has a suite. */
export const composerJson: Reader = {
  reads: (path) => nameOf(path) === 'composer.json',
  read: ({ path, text, paths }) => {
    const manifest = recordOf(JSON.parse(text));
    const lines = linesOf(text);
    const cwd = directoryOf(path);
    const of = { cwd, path, source: 'manifest' as const, locked: paths.has(inDirectory(cwd, 'composer.lock')) };
    const line = lineOf(lines, 'name');
    const candidates: Candidate[] = [
      { ...of, line, kind: 'package-manager', argv: ['composer', '--version'] },
      { ...of, line, kind: 'install', argv: ['composer', 'install', '--no-interaction'] },
    ];
    for (const [name, script] of Object.entries(recordOf(manifest.scripts)).slice(0, MOST_SCRIPTS)) {
      const kind = kindOfName(name);
      // Scripts such as post-install-cmd belong to events of composer.
      if (kind === undefined || kind === 'install' || !SCRIPT_NAME.test(name) || /^(?:pre|post)-/.test(name)) continue;
      const isPrinting = textsIn(script).length > 0 && textsIn(script).every(isHollow);
      candidates.push({
        ...of,
        kind,
        argv: ['composer', 'run-script', name],
        line: lineOf(lines, name),
        ...(isPrinting && { hollow: true }),
      });
    }
    const { 'bin-dir': binDir, 'vendor-dir': vendorDir } = recordOf(manifest.config);
    const hasSuite = SUITES.some((each) => paths.has(inDirectory(cwd, each))) && text.includes('"phpunit/phpunit"');
    if (hasSuite && binDir === undefined && vendorDir === undefined)
      candidates.push({ ...of, kind: 'test', argv: ['vendor/bin/phpunit'], line: lineOf(lines, 'phpunit/phpunit') });
    return { candidates };
  },
};

function lineOf(lines: readonly string[], key: string): number {
  return lineWhere(lines, (each) => each.includes(`"${key}"`));
}
