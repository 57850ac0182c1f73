/**
 * Limits for one OpenAPI document. A document often comes from another company, so reading it must
 * not use too much time or memory.
 */
export const openapiLimits = {
  /** Maximum number of operations of one toolset, after filtering. */
  operations: 128,
  /** Maximum number of operations in a document. */
  documentOperations: 5_000,
  /** Maximum length of a chain of references in which each one points to the next. */
  referenceChain: 32,
  /** Maximum nesting depth of a schema. References to named schemas do not count. */
  schemaDepth: 64,
  /** Maximum number of schemas in the parameters of one operation. */
  operationSchemas: 2_000,
  /** Maximum number of characters in the parameters of one operation, as JSON. */
  operationCharacters: 200_000,
  /** Maximum number of characters in the parameters of all operations of a toolset, as JSON. */
  toolsetCharacters: 2_000_000,
  /** Maximum number of characters in the description of a tool. Longer descriptions are cut. */
  description: 1_024,
} as const
