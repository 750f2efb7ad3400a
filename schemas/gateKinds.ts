/** Whether a run waits at the gate: at that of an agent it does not, which is answered in its pane and told by its session. */
export function holdsRun({ kind }: { kind: string }): boolean {
  return kind !== 'agent';
}
