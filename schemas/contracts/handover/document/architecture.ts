import { shorten, shortList } from '../../../text/phrases.ts';
import { parseFrontmatter } from '../../document/frontmatter.ts';
import { outline } from '../../document/markdown.ts';
import { type Finding, finding, type Report } from '../../report/report.ts';
import { childrenOf, type TreeSnapshot } from '../../report/tree.ts';
import { HANDOVER, joined } from './contract.ts';
import { handoverReport } from './handoverReport.ts';

/** Another program owns these files. Only the beginning is looked at. */
const MOST_CHARACTERS = 64 * 1024;

export interface Architecture {
  found: boolean;
  overview: string | null;
  gaps: string | null;
  /** The first heading of the overview. */
  heading: string | null;
  looseFiles: string[];
}

/** Discovers handover 3. It never fails: the format belongs to another program. */
export function discoverArchitecture(tree: TreeSnapshot, directory: string, subject = directory): Report<Architecture> {
  const { overview, standIns, gaps } = HANDOVER.architecture;
  const children = tree.entries.get(directory)?.kind === 'dir' ? childrenOf(tree, directory) : [];
  const files = new Set(children.filter(({ kind }) => kind === 'file').map(({ name }) => name));
  const chosen = [overview, ...standIns].find((name) => files.has(name));
  const path = chosen === undefined ? undefined : joined(directory, chosen);
  const known = new Set([overview, ...standIns, gaps]);
  const looseFiles = children.map(({ name }) => name).filter((name) => name.endsWith('.md') && !known.has(name));
  const findings: Finding[] = [];
  if (path !== undefined && chosen !== overview) {
    findings.push(finding('ARCH_NON_CANONICAL_OVERVIEW', `${chosen} stands in for ${overview}.`, { path }));
  }
  if (looseFiles.length > 0) {
    const message = `These files are not part of the handover: ${shortList(looseFiles)}.`;
    findings.push(finding('ARCH_LOOSE_FILES', message, { path: directory }));
  }
  return handoverReport({
    kind: 'architecture',
    subject,
    mode: 'strict',
    findings,
    parsed: {
      found: path !== undefined,
      overview: path ?? null,
      gaps: files.has(gaps) ? joined(directory, gaps) : null,
      heading: path === undefined ? null : firstHeading(tree.entries.get(path)?.text ?? ''),
      looseFiles,
    },
  });
}

/** The directory that a person names: the architecture itself, or a project with one. */
export function architectureIn(tree: TreeSnapshot, given: string): string {
  const { files, architecture } = HANDOVER;
  const inside = joined(given, files.architecture);
  if (given === files.architecture || given.endsWith(`/${files.architecture}`) || tree.entries.has(inside)) {
    return tree.entries.has(inside) ? inside : given;
  }
  const names = [architecture.overview, ...architecture.standIns.filter((name) => name !== 'README.md')];
  return names.some((name) => tree.entries.has(joined(given, name))) ? given : inside;
}

function firstHeading(text: string): string | null {
  const start = text.slice(0, MOST_CHARACTERS);
  const { faults, body } = parseFrontmatter(start);
  const isOpen = faults.some(({ code }) => code === 'FM_UNTERMINATED');
  const heading = outline(isOpen ? start : body).headings.find(({ level }) => level === 1)?.text;
  return heading === undefined ? null : shorten(heading);
}
