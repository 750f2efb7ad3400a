import { shorten } from '../../../text/phrases.ts';
import type { Field } from '../../document/fields.ts';
import { type Finding, finding, type Mode, type Report } from '../../report/report.ts';
import { childrenOf, type FileText, type TreeSnapshot, textOf } from '../../report/tree.ts';
import { handoverReport } from './handoverReport.ts';
import { readDocument } from './readDocument.ts';

/** The frontmatter of one file. */
export const RESEARCH_FIELDS: readonly Field[] = [
  { name: 'created', kind: 'date', isRequired: true, about: 'The day of the research.' },
  { name: 'question', kind: 'line', isRequired: true, about: 'What the research answers, in one line.' },
  {
    name: 'confidence',
    kind: 'number',
    isRequired: false,
    least: 0,
    most: 1,
    about: 'How sure the answer is: 0 to 1.',
  },
  {
    name: 'dimensions',
    kind: 'whole',
    isRequired: false,
    least: 1,
    about: 'How many sides of the question were looked at.',
  },
  { name: 'mcp_servers_used', kind: 'texts', isRequired: false, about: 'The MCP servers that were asked.' },
  { name: 'local_agents_used', kind: 'texts', isRequired: false, about: 'The agents that read the repository.' },
  { name: 'external_agents_used', kind: 'texts', isRequired: false, about: 'The agents that read outside sources.' },
];
const FILE_NAME = /^\d{2}-[a-z0-9]+(-[a-z0-9]+)*\.md$/;

export interface Research {
  frontmatter: Record<string, unknown>;
}
export interface ResearchFiles {
  files: { path: string; valid: boolean; question: string | null; confidence: number | null }[];
}

/** Checks one file of handover 2. */
export function checkResearch(file: FileText, path: string, mode: Mode, subject = path): Report<Research> {
  const { findings, document } = readDocument(
    { kind: 'research', prefix: 'RESEARCH', fields: RESEARCH_FIELDS },
    file,
    path,
  );
  if (document && !isGiven(document.values.confidence)) {
    const message = 'confidence is missing, so planning cannot weigh the findings.';
    findings.push(finding('RESEARCH_MISSING_CONFIDENCE', message, { path, field: 'confidence' }));
  }
  const parsed = document ? { frontmatter: document.values } : null;
  return handoverReport({ kind: 'research', subject, mode, findings, parsed });
}

/** Checks all files of handover 2, in the order of their names. */
export function checkResearchDirectory(
  tree: TreeSnapshot,
  directory: string,
  mode: Mode,
  subject = directory,
): Report<ResearchFiles> {
  const found = tree.entries.get(directory);
  const report = (findings: Finding[], files: ResearchFiles['files'] | null) =>
    handoverReport({ kind: 'research', subject, mode, findings, parsed: files && { files } });
  if (!found) {
    const message = `There is no directory ${shorten(directory)}.`;
    return report([finding('RESEARCH_DIR_MISSING', message, { path: directory })], []);
  }
  if (found.kind !== 'dir') {
    const message = `${shorten(directory)} cannot be read: it is ${found.kind === 'link' ? 'a symbolic link' : 'no directory'}.`;
    return report([finding('RESEARCH_READ_ERROR', message, { path: directory })], null);
  }
  const findings: Finding[] = [];
  const files: ResearchFiles['files'] = [];
  if (found.fault)
    findings.push(finding('RESEARCH_READ_ERROR', `${shorten(directory)}: ${found.fault}.`, { path: directory }));
  for (const { name, path } of childrenOf(tree, directory)) {
    if (!name.endsWith('.md')) continue;
    if (!FILE_NAME.test(name)) {
      findings.push(finding('RESEARCH_FILE_NAME', `${shorten(name)} is not of the form NN-slug.md.`, { path }));
    }
    const { valid, errors, warnings, parsed } = checkResearch(textOf(tree, path), path, mode);
    findings.push(...errors, ...warnings);
    const { question, confidence } = parsed?.frontmatter ?? {};
    files.push({
      path,
      valid,
      question: typeof question === 'string' ? question : null,
      confidence: typeof confidence === 'number' ? confidence : null,
    });
  }
  return report(findings, files);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
