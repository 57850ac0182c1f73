/**
 * Limits for one OpenAPI document. They bound the time and memory to read a document, which often
 * comes from another company.
 */
export const openapiLimits = {
  /**
   * Maximum number of operations that one toolset offers as tools, after its filters are applied.
   */
  operations: 128,
  /**
   * Maximum number of operations that are read from an OpenAPI document. Further operations are
   * ignored.
   */
  documentOperations: 5_000,
  /** Maximum number of references to follow when a reference points to another reference. */
  referenceChain: 32,
  /** Maximum nesting depth of a schema. References to named schemas do not count. */
  schemaDepth: 64,
  /** Maximum number of schemas in the parameters of one operation. */
  operationSchemas: 2_000,
  /** Maximum number of characters in the parameters of one operation, as JSON. */
  operationCharacters: 200_000,
  /** Maximum number of characters in the parameters of all operations of a toolset, as JSON. */
  toolsetCharacters: 2_000_000,
  /**
   * Maximum number of characters in the description of a tool. Longer descriptions are truncated.
   */
  description: 1_024,
} as const
