import { DevflowError } from '../../errors.ts';
import { shorten } from '../../text/phrases.ts';
import { isMap, ownValue } from '../document/fields.ts';
import { notAnObject, readJson } from '../document/json.ts';
import { type Finding, finding, makeReport, type Report } from '../report/report.ts';
import { type TreeSnapshot, textOf } from '../report/tree.ts';
import { type SidecarRule, STATE_CONTRACT, STATE_DIR, type StateContract } from './contract.ts';
import { contractInForce } from './contractInForce.ts';

export type SidecarContent = Record<string, unknown>;

interface ReadSidecar {
  content: SidecarContent | null;
  findings: Finding[];
}

/** Which bases have variants: those with a pattern of their own for JSON. */
const VARIANT = /^(impl-summary|test-summary|verification)-[A-Za-z0-9_.-]+\.json$/;

/** The rule of a sidecar; undefined if the name is none. Every version of the contract has the same names. */
export function sidecarRule(name: string, { sidecars }: StateContract = STATE_CONTRACT): SidecarRule | undefined {
  const base = VARIANT.exec(name)?.[1] ?? (name.endsWith('.json') ? name.slice(0, -'.json'.length) : '');
  return Object.hasOwn(sidecars, base) ? sidecars[base] : undefined;
}

/** The rule of a sidecar that a caller named. Throws `usage` for other names, so that nothing else is ever opened. */
export function requireSidecarRule(name: string, contract: StateContract = STATE_CONTRACT): SidecarRule {
  const rule = sidecarRule(name, contract);
  if (rule) return rule;
  const names = PAIRS.map(({ sidecar }) => sidecar).join(', ');
  throw new DevflowError('usage', `“${shorten(name)}” is no sidecar; known are ${names} and their variants.`);
}

/** A sidecar's content, and its faults. */
export function readSidecar(tree: TreeSnapshot, name: string, rule: SidecarRule): ReadSidecar {
  const path = `${STATE_DIR}/${name}`;
  const file = textOf(tree, path);
  if (!file.ok) {
    const code = file.isMissing ? 'SIDECAR_NOT_FOUND' : 'SIDECAR_UNREADABLE';
    return { content: null, findings: [finding(code, `${name} cannot be read: ${file.reason}.`, { path })] };
  }
  const json = readJson(file.text);
  if (!json.ok) {
    const message = `${name} cannot be read: ${json.reason}.`;
    return { content: null, findings: [finding('SIDECAR_UNREADABLE', message, { path })] };
  }
  if (!isMap(json.value)) {
    return {
      content: null,
      findings: [finding('SIDECAR_NOT_OBJECT', `${name} is ${notAnObject(json.value)}.`, { path })],
    };
  }
  return {
    content: json.value,
    findings: [...statusFindings(json.value, rule, path), ...verdictFindings(json.value, rule, path)],
  };
}

/** The verdict about one sidecar. */
export function checkSidecar(tree: TreeSnapshot, name: string, rule: SidecarRule): Report<SidecarContent> {
  const { content, findings } = readSidecar(tree, name, rule);
  return makeReport({
    contract: contractInForce(tree).contract.id,
    subject: name,
    mode: 'strict',
    findings,
    parsed: content,
  });
}

/** The files whose markdown and JSON belong together. */
export const PAIRS: readonly { markdown: string; sidecar: string }[] = Object.keys(STATE_CONTRACT.sidecars).map(
  (base) => ({
    markdown: `${base}.md`,
    sidecar: `${base}.json`,
  }),
);

function statusFindings(content: SidecarContent, rule: SidecarRule, path: string): Finding[] {
  const status = ownValue(content, 'status') ?? null;
  if (status === null && !rule.statusRequired) return [];
  if (rule.status.includes(status as string)) return [];
  if (rule.statusUpstream.includes(status as string)) {
    const message = `status is ${status}, which the contract does not list: ${rule.status.join(', ')}.`;
    return [finding('SIDECAR_STATUS_UNLISTED', message, { path, field: 'status' })];
  }
  return [finding('SIDECAR_STATUS_INVALID', wrong('status', status, rule.status), { path, field: 'status' })];
}

function verdictFindings(content: SidecarContent, rule: SidecarRule, path: string): Finding[] {
  const verdict = ownValue(content, 'verdict') ?? null;
  if (verdict === null && !rule.verdictRequired) return [];
  if (rule.verdict.includes(verdict as string)) return [];
  return [finding('SIDECAR_VERDICT_INVALID', wrong('verdict', verdict, rule.verdict), { path, field: 'verdict' })];
}

function wrong(field: string, value: unknown, listed: readonly string[]): string {
  const what = value === null ? 'is missing' : `is ${shorten(JSON.stringify(value))}`;
  return `${field} ${what}; it is one of ${listed.join(', ')}.`;
}
