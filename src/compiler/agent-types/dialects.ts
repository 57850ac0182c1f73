export const dialects = ["graph-compose", "adk"] as const

/** The dialect in which a config is written (docs/semantics.md#dialects). */
export type Dialect = (typeof dialects)[number]
