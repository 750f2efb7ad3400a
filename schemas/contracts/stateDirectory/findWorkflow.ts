import { type Finding, finding } from '../report/report.ts';
import { type TreeSnapshot, textOf } from '../report/tree.ts';
import { WORKFLOW_FILE } from './contract.ts';
import { parseWorkflow, type WorkflowText } from './workflowFile.ts';

export type FoundWorkflow =
  | { is: 'missing' }
  | { is: 'read'; workflow: WorkflowText }
  | { is: 'unreadable'; fault: Finding };

/** The workflow.yaml of a repository. */
export function findWorkflow(tree: TreeSnapshot): FoundWorkflow {
  const file = textOf(tree, WORKFLOW_FILE);
  if (!file.ok) return file.isMissing ? { is: 'missing' } : unreadable(`${file.reason}.`, null);
  const read = parseWorkflow(file.text);
  return read.ok ? { is: 'read', workflow: read.workflow } : unreadable(read.message, read.line);
}

function unreadable(why: string, line: number | null): FoundWorkflow {
  const message = `workflow.yaml cannot be read: ${why}`;
  return { is: 'unreadable', fault: finding('WORKFLOW_UNREADABLE', message, { path: WORKFLOW_FILE, line }) };
}
