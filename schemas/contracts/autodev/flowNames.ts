/** The flows, without their data, for those that only check a name. */
export const FLOW_NAMES = ['greenfield', 'existing-code', 'meta-repo'] as const;

export type FlowName = (typeof FLOW_NAMES)[number];

export function isFlowName(text: string): text is FlowName {
  return (FLOW_NAMES as readonly string[]).includes(text);
}
