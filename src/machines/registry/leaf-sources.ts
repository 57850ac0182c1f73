/**
 * Names of the leaf actors: promises that make calls outside the state machines, such as model
 * calls.
 */
export const leafSources = [
  "callModel",
  "callTool",
  "callNode",
  "callHost",
  "callWorkflow",
  "sleepUntil",
] as const

export type LeafSource = (typeof leafSources)[number]

export const isLeafSource = (src: string): src is LeafSource =>
  (leafSources as readonly string[]).includes(src)
