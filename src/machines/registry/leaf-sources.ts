/**
 * Names of the actors that perform calls outside the state machines, such as model calls and
 * timers. Each of them is a promise actor.
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
