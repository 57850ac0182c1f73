/**
 * What one config may cost. A config may come from somebody else, so reading it has bounds: whatever goes over them is
 * refused with `config_too_large` or `nesting_too_deep`, before anything is spent on it.
 */
export const configLimits = {
  /** Length of a config that is given as text. */
  characters: 10 * 1024 * 1024,
  /** Length of a YAML text: reading it takes longer. */
  yamlCharacters: 1024 * 1024,
  /** Files of one config, and their length altogether. */
  files: 1000,
  filesCharacters: 10 * 1024 * 1024,
  /** Values (objects, lists, texts, numbers ...) in a config that is given as an object. */
  values: 1_000_000,
  /** Nesting of brackets. Leaves room for agents and data at their own limits. */
  documentDepth: 320,
  /** Nesting inside a piece of data such as `state`, `body` or `parameters`. */
  dataDepth: 100,
  /** Agents inside each other: sub-agents, references and the targets of tools. */
  agentDepth: 100,
  /** Places for agents once every reference is followed. Shared agents make this number grow exponentially. */
  positions: 50_000,
  /** Diagnostics that are kept; the rest is counted. */
  diagnostics: 10_000,
} as const
