/** Why two tasks may write the same files. */
export interface SharedReason {
  /**
   * `file`: both may write files that exist. `forbidden`: both may write files of one entry of the list that no two tasks may
   * share. `pattern`: their globs can match the same path. `undecided`: perhaps they can.
   */
  kind: 'file' | 'forbidden' | 'pattern' | 'undecided';
  files?: string[] | undefined;
  /** The number of files. */
  count?: number | undefined;
  glob?: string | undefined;
  globs?: string[] | undefined;
}

/** The reason in words. */
export function sharedReasonWords({ kind, files = [], count, glob = '', globs = [] }: SharedReason): string {
  switch (kind) {
    case 'file': {
      const rest = (count ?? files.length) - files.length;
      return `both may write ${files.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    }
    case 'forbidden':
      return `both may write ${glob}, which parallel tasks must not share`;
    case 'pattern':
      return `${globs.join(' and ')} can mean the same file`;
    case 'undecided':
      return `${globs.join(' and ')} may mean the same file`;
    default:
      return kind satisfies never;
  }
}
