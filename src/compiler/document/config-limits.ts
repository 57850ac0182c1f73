/**
 * Limits for one config. A config may come from an untrusted source, so reading it must be bounded.
 * A config that exceeds a limit is refused with `config_too_large` or `nesting_too_deep`, before it
 * can use much time or memory.
 */
export const configLimits = {
  /** Maximum length of a config that is passed as text. */
  characters: 10 * 1024 * 1024,
  /** Maximum length of a YAML text. It is lower, because parsing YAML takes longer. */
  yamlCharacters: 1024 * 1024,
  /** Maximum number of files of one config, and their maximum total length. */
  files: 1000,
  filesCharacters: 10 * 1024 * 1024,
  /**
   * Maximum number of values (such as objects, lists, strings and numbers) in a config that is
   * passed as an object.
   */
  values: 1_000_000,
  /**
   * Maximum nesting depth of brackets. It is higher than the limits for agents and data together.
   */
  documentDepth: 320,
  /** Maximum nesting depth inside data fields such as `state`, `body` or `parameters`. */
  dataDepth: 100,
  /** Maximum nesting depth of agents, through sub-agents, references and targets of tools. */
  agentDepth: 100,
  /**
   * Maximum number of agent positions after all references are expanded. Shared agents make this
   * number grow exponentially.
   */
  positions: 50_000,
  /** Maximum nesting depth of workflows that call each other by file, including the outermost. */
  callDepth: 10,
  /** Maximum number of workflows in a chart, counting each one in every workflow that calls it. */
  calledWorkflows: 100,
  /** Maximum number of nodes of a graph. */
  nodes: 1000,
  /** Maximum nesting depth of loops in a graph. */
  loopDepth: 10,
  /** Maximum number of diagnostics that are kept. Further ones are only counted. */
  diagnostics: 10_000,
} as const
