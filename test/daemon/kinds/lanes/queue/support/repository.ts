/** A commit of a repository without files: its content is a set of changes. */
interface Commit {
  changes: ReadonlySet<string>;
  ancestors: ReadonlySet<string>;
}

/** Commits that merge as git merges them, except that conflicts are declared. */
export class Repository {
  private readonly commits = new Map<string, Commit>();

  constructor(root: string) {
    this.commits.set(root, { changes: new Set([root]), ancestors: new Set([root]) });
  }

  changesOf(commit: string): ReadonlySet<string> {
    return this.get(commit).changes;
  }

  /** Commits with the same content have the same tree. */
  treeOf(commit: string): string {
    return `tree of ${[...this.changesOf(commit)].sort().join(' ')}`;
  }

  contains(commit: string, ancestor: string): boolean {
    return this.get(commit).ancestors.has(ancestor);
  }

  /** A commit on `parent` with one change, named alike. */
  commit(parent: string, change: string): string {
    const { changes, ancestors } = this.get(parent);
    this.commits.set(change, { changes: new Set([...changes, change]), ancestors: new Set([...ancestors, change]) });
    return change;
  }

  merge(onto: string, head: string): string {
    const [a, b] = [this.get(onto), this.get(head)];
    if (this.contains(head, onto)) return head;
    if (this.contains(onto, head)) return onto;
    const id = `(${onto} ${head})`;
    const ancestors = new Set([...a.ancestors, ...b.ancestors, id]);
    this.commits.set(id, { changes: new Set([...a.changes, ...b.changes]), ancestors });
    return id;
  }

  private get(id: string): Commit {
    const commit = this.commits.get(id);
    if (!commit) throw new TypeError(`no commit ${id}`);
    return commit;
  }
}
