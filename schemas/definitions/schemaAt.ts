import { z } from 'zod';

/** The schema of the value at a path, through optionals, defaults, lists and maps; undefined if there is none. */
export function schemaAt(root: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = root;
  for (const part of path) {
    const inner: z.core.$ZodType = innermost(schema);
    if (inner instanceof z.ZodObject) schema = inner.shape[String(part)];
    else if (inner instanceof z.ZodArray) schema = inner.element;
    else if (inner instanceof z.ZodRecord) schema = inner.valueType;
    else return undefined;
    if (!schema) return undefined;
  }
  return schema;
}

/** The keys that an object at this path may have. Empty if the schema has no object there. */
export function keysAt(root: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const schema = schemaAt(root, path);
  const inner = schema && innermost(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** The description of the value at a path, from its schema or from the one it wraps. */
export function descriptionAt(root: z.core.$ZodType, path: readonly PropertyKey[]): string | undefined {
  const schema = schemaAt(root, path);
  if (!schema) return undefined;
  return z.globalRegistry.get(schema)?.description ?? z.globalRegistry.get(innermost(schema))?.description;
}

/** The schema inside optionals, defaults and nullables. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap();
  }
  return inner;
}
