/** A line of the scenario: `<name>: <value>`, or `<name>: <roleId>=<value>` for one role instance. */
export interface ScenarioLine {
  name: string;
  roleId: string | null;
  value: string;
}

/** Lines that verifiers and fixers obey. Their prompts do not repeat the requirements. */
const RELAYED: readonly string[] = ['Verdicts', 'Duplicate', 'Fixes'];

/** A line may stand anywhere. In the prompts of verifiers and fixers it is a detail of a finding: `evidence: <line>`. */
const LINE = /^[ \t]*(?:evidence:[ \t]*)?([A-Z][A-Za-z-]*):[ \t]*(?:([\w#-]+)=)?(\S.*?)[ \t]*\r?$/gm;

/** The values of the lines with this name that are for this role, or for nobody in particular. Pure. */
export function valuesFor(instructions: string, name: string, roleId: string): string[] {
  return linesOf(instructions)
    .filter((line) => line.name === name && (line.roleId ?? roleId) === roleId)
    .map(({ value }) => value);
}

/** The value of the first line that names the role, else of the first line without a role. Pure. */
export function valueFor(instructions: string, name: string, roleId: string): string | undefined {
  const named = linesOf(instructions).filter((line) => line.name === name);
  const own = named.find((line) => line.roleId === roleId) ?? named.find((line) => line.roleId === null);
  return own?.value;
}

/** The lines that a reviewer passes on in the evidence of its findings, each once. Pure. */
export function relayedLines(instructions: string): string[] {
  const lines = linesOf(instructions).filter(({ name }) => RELAYED.includes(name));
  return [
    ...new Set(lines.map(({ name, roleId, value }) => `${name}: ${roleId === null ? '' : `${roleId}=`}${value}`)),
  ];
}

function linesOf(instructions: string): ScenarioLine[] {
  return [...instructions.matchAll(LINE)].map(([, name = '', roleId = null, value = '']) => ({ name, roleId, value }));
}
