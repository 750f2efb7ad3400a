import { shorten } from '../../../text/phrases.ts';
import type { FrontmatterFault, RawValue } from '../../document/frontmatter.ts';
import type { Outline } from '../../document/markdown.ts';
import { type Finding, finding } from '../../report/report.ts';
import { HANDOVER } from '../document/contract.ts';

/** A quoted line, as the template of the plugin voyage writes it under the title. */
const IN_BODY = /^ {0,3}>.*\bplan_version["'`*]{0,3}[ \t]{0,9}[:=][ \t]{0,9}["'`*]{0,3}(\d{1,9}\.\d{1,9})/;
const MOST_CHARACTERS = 1_000;

/** The version of a plan, from its frontmatter or from the lines under its title. */
export function planVersion(
  fields: ReadonlyMap<string, RawValue>,
  faults: readonly FrontmatterFault[],
  { prose }: Outline,
  path: string,
): { version: string | null; findings: Finding[] } {
  const raw = fields.get('plan_version');
  const given = raw?.kind === 'scalar' && raw.raw !== '' ? raw : undefined;
  const about = (each: FrontmatterFault) => finding(each.code, each.message, { path, line: each.line });
  if (given) return { version: given.raw, findings: [...faults.map(about), ...mismatch(given.raw, given.line, path)] };
  const inBody = versionInBody(prose);
  const others = faults.filter(({ code }) => code !== 'FM_MISSING');
  if (inBody !== undefined) {
    const message = 'plan_version stands in the body; it belongs in the frontmatter.';
    const moved = finding('PLAN_VERSION_IN_BODY', message, { path, field: 'plan_version' });
    return { version: inBody, findings: [...others.map(about), moved, ...mismatch(inBody, null, path)] };
  }
  const findings = faults.map(about);
  const hasFrontmatter = !faults.some(({ code }) => code === 'FM_MISSING' || code === 'FM_UNTERMINATED');
  if (hasFrontmatter) {
    const message = raw?.kind === 'list' ? 'plan_version is no text.' : 'plan_version is missing.';
    findings.push(finding('PLAN_MISSING_FIELD', message, { path, line: raw?.line ?? null, field: 'plan_version' }));
  }
  return { version: null, findings };
}

function versionInBody(prose: readonly string[]): string | undefined {
  for (const line of prose.slice(0, HANDOVER.plan.linesWithVersion)) {
    const [, version] = IN_BODY.exec(line.slice(0, MOST_CHARACTERS)) ?? [];
    if (version !== undefined) return version;
  }
  return undefined;
}

function mismatch(version: string, line: number | null, path: string): Finding[] {
  const { current } = HANDOVER.versions.plan;
  if (version === current) return [];
  const message = `plan_version is ${shorten(version)}; the current one is ${current}.`;
  return [finding('PLAN_VERSION_MISMATCH', message, { path, line, field: 'plan_version' })];
}
