/**
 * Limits for the size of one config. A config may come from an untrusted source, so the compiler
 * must not use too much time or memory for it. A config that exceeds a limit is rejected with
 * `config_too_large` or `nesting_too_deep`.
 */
export const configLimits = {
  /** Maximum length of a config that is passed as text, in UTF-16 code units. */
  characters: 10 * 1024 * 1024,
  /**
   * Maximum length of a YAML text. It is lower than `characters`, because parsing YAML takes longer
   * than parsing JSON.
   */
  yamlCharacters: 1024 * 1024,
  /** Maximum number of files of one config. `filesCharacters` is their maximum total length. */
  files: 1000,
  filesCharacters: 10 * 1024 * 1024,
  /**
   * Maximum number of values (such as objects, lists, strings and numbers) in a config that is
   * passed as an object.
   */
  values: 1_000_000,
  /**
   * Maximum nesting depth of objects and lists in a document. It is higher than the limits for
   * agents and data together.
   */
  documentDepth: 320,
  /** Maximum nesting depth inside data fields such as `state`, `body` or `parameters`. */
  dataDepth: 100,
  /**
   * Maximum nesting depth of agents. References to sub-agents and agents that run as tools count
   * too.
   */
  agentDepth: 100,
  /**
   * Maximum number of positions at which agents run. A shared agent counts once for each path of
   * references from the root. The number can grow exponentially.
   */
  positions: 50_000,
  /**
   * Maximum nesting depth of workflows that call each other by file, including the outermost
   * workflow.
   */
  callDepth: 10,
  /**
   * Maximum number of workflows in a chart. A called workflow file counts once for each workflow
   * that calls it.
   */
  calledWorkflows: 100,
  /** Maximum number of nodes of a Graph Compose graph. */
  nodes: 1000,
  /** Maximum nesting depth of loops in a Graph Compose graph. */
  loopDepth: 10,
  /** Maximum number of diagnostics that are stored. Further diagnostics are only counted. */
  diagnostics: 10_000,
} as const
