import { shorten } from '../../text/phrases.ts';
import { isMap, ownValue } from '../document/fields.ts';
import { notAnObject, readJson } from '../document/json.ts';
import { type Finding, finding, makeReport, type Report } from '../report/report.ts';
import { type TreeSnapshot, textOf, type Wanted } from '../report/tree.ts';
import { missingDirectory } from './audit.ts';
import {
  LOCK_FILE,
  readLock,
  STATE_CONTRACT,
  STATE_CONTRACTS,
  STATE_DIR,
  type StateContract,
  WORKFLOW_FILE,
} from './contract.ts';
import { contractInForce, WANTED_MARKS } from './contractInForce.ts';
import { findWorkflow } from './findWorkflow.ts';
import { checkProbeLog, PROBE_LOG } from './probeLog.ts';
import { PAIRS, readSidecar, type SidecarContent, sidecarRule } from './sidecars.ts';
import { stateEntries } from './stateEntries.ts';
import { readStatus } from './statusLine.ts';
import { isId } from './updateWorkflow.ts';
import { workflowObject } from './workflowFile.ts';

export interface Contents {
  workflow: Record<string, unknown> | null;
  /** By file name; null for what cannot be read. */
  sidecars: Record<string, SidecarContent | null>;
  /** The status of each markdown that has one; null where it is missing. */
  statuses: Record<string, string | null>;
  inputs: Record<string, Record<string, unknown> | null>;
}

/** The reads that a verdict on the contents needs. */
export const WANTED_CONTENTS: readonly Wanted[] = [
  { path: STATE_DIR, depth: 1, text: hasJudgedContent },
  ...WANTED_MARKS,
];

/** The verdict about the contents. `isAlive` says whether a process lives; without it, the holder of a lock is believed. */
export function validateState(
  tree: TreeSnapshot,
  isAlive?: (pid: number) => boolean,
): Report<Contents> & { parsed: Contents } {
  const entries = stateEntries(tree);
  const { contract } = contractInForce(tree);
  const contents: Contents = { workflow: null, sidecars: {}, statuses: {}, inputs: {} };
  const findings = entries
    ? [
        ...checkWorkflow(tree, contents),
        ...checkSidecars(
          tree,
          entries.filter(({ kind }) => kind !== 'dir').map(({ name }) => name),
          { contract, contents },
        ),
        ...checkStatuses(tree, { contract, contents }),
        ...checkInputs(tree, { contract, contents }),
        ...checkLock(tree, isAlive),
        ...checkLog(tree),
      ]
    : [missingDirectory(tree)];
  return {
    ...makeReport({ contract: contract.id, subject: STATE_DIR, mode: 'strict', findings, parsed: contents }),
    parsed: contents,
  };
}

/** By which contract something is checked, and where what it says is kept. */
interface Checked {
  contract: StateContract;
  contents: Contents;
}

function hasJudgedContent(path: string): boolean {
  const name = path.slice(STATE_DIR.length + 1);
  return (
    [WORKFLOW_FILE, LOCK_FILE, PROBE_LOG].includes(path) ||
    sidecarRule(name) !== undefined ||
    PAIRS.some(({ markdown }) => markdown === name) ||
    STATE_CONTRACTS.some(({ statusGated, inputs }) => Object.hasOwn(statusGated, name) || Object.hasOwn(inputs, name))
  );
}

function checkWorkflow(tree: TreeSnapshot, contents: Contents): Finding[] {
  const found = findWorkflow(tree);
  if (found.is !== 'read') return found.is === 'missing' ? [] : [found.fault];
  const { values } = found.workflow;
  contents.workflow = workflowObject(found.workflow);
  const findings: Finding[] = [];
  const history = values.get('workflow_id_history');
  const lacking = ['original_workflow_id', 'workflow_id'].filter((name) => {
    return isId(values.get(name)) && !(Array.isArray(history) && history.includes(values.get(name)));
  });
  if (lacking.length > 0) {
    const message = `workflow_id_history lacks the ${lacking.join(' and the ')}. The next state update heals it.`;
    findings.push(finding('WORKFLOW_HISTORY_BROKEN', message, { path: WORKFLOW_FILE, field: 'workflow_id_history' }));
  }
  const type = values.get('workflow_type') ?? null;
  if (type !== null && !STATE_CONTRACT.workflowTypes.includes(type as string)) {
    const message = `workflow_type is ${shorten(JSON.stringify(type))}; known are ${STATE_CONTRACT.workflowTypes.join(', ')}.`;
    findings.push(finding('WORKFLOW_TYPE_UNKNOWN', message, { path: WORKFLOW_FILE, field: 'workflow_type' }));
  }
  return findings;
}

function checkSidecars(tree: TreeSnapshot, names: readonly string[], { contract, contents }: Checked): Finding[] {
  const findings: Finding[] = [];
  for (const name of names) {
    const rule = sidecarRule(name, contract);
    if (!rule) continue;
    const read = readSidecar(tree, name, rule);
    contents.sidecars[name] = read.content;
    findings.push(...read.findings);
  }
  for (const { markdown, sidecar } of PAIRS) {
    const path = `${STATE_DIR}/${markdown}`;
    if (!names.includes(markdown)) continue;
    if (!names.includes(sidecar)) {
      findings.push(finding('SIDECAR_MISSING', `${markdown} has no ${sidecar}, which says how it ended.`, { path }));
    }
    const file = textOf(tree, path);
    const status = file.ok ? readStatus(file.text) : undefined;
    if (status) {
      const message = `${markdown} has a ## Status, but ${sidecar} decides.`;
      findings.push(finding('STATUS_DUPLICATED', message, { path, line: status.line }));
    }
  }
  return findings;
}

function checkStatuses(tree: TreeSnapshot, { contract, contents }: Checked): Finding[] {
  return Object.entries(contract.statusGated).flatMap(([name, listed]): Finding[] => {
    const path = `${STATE_DIR}/${name}`;
    const file = textOf(tree, path);
    if (!file.ok && file.isMissing) return [];
    const found = file.ok ? readStatus(file.text) : undefined;
    contents.statuses[name] = found ? shorten(found.status) : null;
    const expected = `it is one of ${listed.join(', ')}`;
    if (!found) {
      const why = file.ok ? 'has no ## Status in its first 100 lines' : `cannot be read (${file.reason})`;
      return [finding('STATUS_MISSING', `${name} ${why}; ${expected}.`, { path })];
    }
    if (listed.includes(found.status)) return [];
    const message = `The status of ${name} is “${shorten(found.status)}”; ${expected}.`;
    return [finding('STATUS_INVALID', message, { path, line: found.line })];
  });
}

function checkInputs(tree: TreeSnapshot, { contract, contents }: Checked): Finding[] {
  return Object.entries(contract.inputs).flatMap(([name, { required, recommended }]): Finding[] => {
    const path = `${STATE_DIR}/${name}`;
    const file = textOf(tree, path);
    if (!file.ok && file.isMissing) return [];
    const json = file.ok ? readJson(file.text) : file;
    contents.inputs[name] = null;
    if (!json.ok) return [finding('INPUT_UNREADABLE', `${name} cannot be read: ${json.reason}.`, { path })];
    const { value } = json;
    if (!isMap(value)) return [finding('INPUT_UNREADABLE', `${name} is ${notAnObject(value)}.`, { path })];
    contents.inputs[name] = value;
    const lacks = (field: string) => (ownValue(value, field) ?? null) === null;
    return [
      ...required.filter(lacks).map((field) => finding('INPUT_MISSING_FIELD', `${field} is missing.`, { path, field })),
      ...recommended.filter(lacks).map((field) => {
        return finding('INPUT_MISSING_RECOMMENDED', `${field} is missing; it is recommended.`, { path, field });
      }),
    ];
  });
}

function checkLock(tree: TreeSnapshot, isAlive: (pid: number) => boolean = () => true): Finding[] {
  const file = textOf(tree, LOCK_FILE);
  if (!file.ok && file.isMissing) return [];
  const pid = file.ok ? readLock(file.text) : undefined;
  if (pid !== undefined && isAlive(pid)) return [];
  const who = pid === undefined ? 'names no process' : 'is held by a process that does not live';
  const message = `.lock ${who}${pid === undefined ? '' : ` (${pid})`}.`;
  return [finding('LOCK_STALE', message, { path: LOCK_FILE })];
}

function checkLog(tree: TreeSnapshot): Finding[] {
  const file = textOf(tree, PROBE_LOG);
  if (file.ok) return checkProbeLog(file.text, tree.now);
  if (file.isMissing) return [];
  return [finding('LOG_LINE_INVALID', `probe-failures.jsonl cannot be read: ${file.reason}.`, { path: PROBE_LOG })];
}
