import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';

const ROOT = packageRoot();
const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });
const SOURCES = globSync(['*.ts', '{build,cli,daemon,schemas,test,tmux,tui}/**/*.{ts,sh}'], { cwd: ROOT });
/** Other pages name files of examples. */
const PAGES_OF_CODE = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];
/** `run*.ts` and `<noun>Methods.ts` name no file. The build makes the `.cjs` files. */
const SOURCE = /(?<![\w./@*<>{},-])(?:[\w@-][\w.@-]*\/)*[\w-][\w.-]*\.(?:ts|sh)\b/g;
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe('documents', () => {
  it.each(PAGES)('%s links to pages, headings and files that exist', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  it.each(PAGES)('%s names files that exist', (page) => {
    expect(missingFiles(read(page))).toEqual([]);
  });

  it.each(PAGES_OF_CODE)('%s names sources that exist, also without a directory', (page) => {
    expect(SOURCES.length).toBeGreaterThan(1000);
    expect(missingSources(read(page))).toEqual([]);
  });

  it.each(PAGES.filter((page) => /docs\/adr\/\d/.test(page)))('%s is a short record with all headings', (page) => {
    const text = read(page);
    const headings = ['Context', 'Decision', 'Consequences', 'What would change our mind'];
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(headings);
    expect(text.split('\n').length).toBeLessThan(60);
    expect(read('docs/adr/README.md')).toContain(`](${relative('docs/adr', page)})`);
  });

  it('are found to be wrong where they are', () => {
    const text =
      '# A title\n[a](#a-title) [b](#b) [c](missing.md) [d](docs/config.md#nothing) `cli/missing.ts` `cli/main.ts`\n';
    expect(brokenLinks('README.md', text)).toEqual(['#b', 'missing.md', 'docs/config.md#nothing']);
    expect(missingFiles(text)).toEqual(['cli/missing.ts']);
    const there =
      'main.ts, `cli/main.ts`, `architecture/docs.test.ts`, `run*.ts`, `<noun>Methods.ts`, `*.test.ts`, dist/tui.cjs';
    expect(missingSources(there)).toEqual([]);
    const gone = '`missing.ts` (missing.sh), `cli/commands/main.ts`. A helper of tests alone: `givenHistory.ts`';
    expect(missingSources(gone)).toEqual(['missing.ts', 'missing.sh', 'cli/commands/main.ts', 'givenHistory.ts']);
  });
});

function brokenLinks(page: string, text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    (m) => m[1] ?? m[2] ?? '',
  );
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (path !== '' && !existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchorsOf(path === '' ? text : read(file)).includes(anchor);
  });
}

function missingFiles(text: string): string[] {
  const named = [...text.matchAll(/`((?:daemon|cli|tui|tmux|schemas|test|docs)\/[\w./@-]+)`/g)].map(
    ([, path = '']) => path,
  );
  return named.filter((path) => !existsSync(join(ROOT, path)));
}

/** Named sources that no folder has. A helper of tests needs its whole path: a source that is gone may have had its name. */
function missingSources(text: string): string[] {
  const named = [...text.matchAll(SOURCE)].map(([path]) => path);
  return named.filter((path) => !SOURCES.some((file) => file === path || isNamedBy(path, file)));
}

function isNamedBy(path: string, file: string): boolean {
  return file.endsWith(`/${path}`) && (!file.startsWith('test/') || path.endsWith('.test.ts'));
}

/** As GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
