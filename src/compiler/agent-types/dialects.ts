export const dialects = ["graph-compose", "adk"] as const

/** The language of a config (docs/semantics.md#dialects). */
export type Dialect = (typeof dialects)[number]
