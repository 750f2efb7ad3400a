/** What an agent wrote as `tpl/draft@1`. */
export interface Draft {
  yaml: string;
  cites: { argv: string[]; fact: string }[];
  artifacts: Shipped[];
}

/** An artifact schema that a template brings with it. */
export interface Shipped {
  schema: string;
  definition: Record<string, unknown>;
  ok: unknown;
  invalid: unknown;
}
