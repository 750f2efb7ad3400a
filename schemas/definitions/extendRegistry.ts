import { compileSchema, type JsonSchema, type Registry, validationOf } from './registry.ts';

/** A registry that knows more schemas, which come first. Each stands alone, because ids inside of schemas may meet. */
export function extendRegistry(base: Registry, given: readonly { schema: string; definition: JsonSchema }[]): Registry {
  const definitions = new Map(given.map(({ schema, definition }) => [schema, definition]));
  const compiled = new Map<string, ReturnType<typeof compileSchema>>();
  return {
    ...base,
    loadSchema: (id) => definitions.get(id) ?? base.loadSchema(id),
    validateArtifact(id, data) {
      const definition = definitions.get(id);
      if (definition === undefined) return base.validateArtifact(id, data);
      const validate = compiled.get(id) ?? compileSchema(definition);
      compiled.set(id, validate);
      return validationOf(id, validate, data);
    },
    schemaFault: (id) => (definitions.has(id) ? undefined : base.schemaFault(id)),
    listSchemas: () => [...new Set([...base.listSchemas(), ...definitions.keys()])].sort(),
  };
}
