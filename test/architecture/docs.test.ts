import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';

const ROOT = packageRoot();
const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT });
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe('documents', () => {
  it.each(PAGES)('%s links to pages, headings and files that exist', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  it.each(PAGES)('%s names files that exist', (page) => {
    expect(missingFiles(read(page))).toEqual([]);
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
