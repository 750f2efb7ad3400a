import { defined } from '../defined.ts';
import { CYCLE_ARTIFACTS, isCycleArtifact, readCycleArtifact } from './cycle/artifacts.ts';
import { checkBrief } from './handover/document/brief.ts';
import { contractOf } from './handover/document/contract.ts';
import { checkResearch } from './handover/document/research.ts';
import { checkPlan } from './handover/plan/plan.ts';
import { checkProgress } from './handover/progress/progress.ts';
import { checkReview } from './handover/review/review.ts';
import { checkSessionPrompt } from './handover/session/sessionPrompt.ts';
import { checkSessionState } from './handover/session/sessionState.ts';
import type { Finding, Report } from './report/report.ts';
import type { FileText } from './report/tree.ts';

/** A finding as artifacts have them: where it is in the document, and its code. */
export interface ArtifactFinding {
  path: string;
  message: string;
  code?: string;
  line?: number;
}

/** A document's content with warnings for its reader, or its errors. */
export type ReadContract =
  | { ok: true; data: unknown; warnings: ArtifactFinding[] }
  | { ok: false; errors: ArtifactFinding[] };

/** The documents of one file each, as who writes them is checked. */
const DOCUMENTS: Readonly<Record<string, (file: FileText) => Report>> = {
  [contractOf('brief')]: (file) => checkBrief(file, 'brief.md', 'strict'),
  [contractOf('research')]: (file) => checkResearch(file, 'research.md', 'strict'),
  [contractOf('plan')]: (file) => checkPlan(file, 'plan.md'),
  [contractOf('progress')]: (file) => checkProgress(file, 'progress.json'),
  [contractOf('review')]: (file) => checkReview(file, 'review.md', 'strict'),
  [contractOf('session-state')]: (file) => checkSessionState(file, '.session-state.local.json'),
  [contractOf('session-prompt')]: (file) => checkSessionPrompt(file, 'NEXT-SESSION-PROMPT.local.md'),
};

/** True if artifacts of this schema are documents of a contract, and no JSON Schema decides about them. */
export function isContractDocument(schema: string): boolean {
  return Object.hasOwn(DOCUMENTS, schema) || isCycleArtifact(schema);
}

/** The ids of all documents that can be artifacts, sorted. */
export function contractDocuments(): string[] {
  return [...Object.keys(DOCUMENTS), ...Object.keys(CYCLE_ARTIFACTS)].sort();
}

/** Reads an artifact by the rules of its contract. `schema` is one of theirs. */
export function readContractDocument(schema: string, text: string): ReadContract {
  if (isCycleArtifact(schema)) {
    const read = readCycleArtifact(schema, text);
    return read.ok ? { ...read, warnings: [] } : { ok: false, errors: read.errors.map(asArtifactFinding) };
  }
  const check = DOCUMENTS[schema];
  if (!check) throw new TypeError(`${schema} is no document of a contract`);
  const { valid, errors, warnings, parsed } = check({ ok: true, text });
  if (!valid) return { ok: false, errors: errors.map(asArtifactFinding) };
  return { ok: true, data: parsed, warnings: warnings.map(asArtifactFinding) };
}

function asArtifactFinding({ field, section, message = '', code, line }: Partial<Finding>): ArtifactFinding {
  return {
    path: field ?? section ?? '',
    message,
    ...defined({ code, line: line || undefined }),
  };
}
