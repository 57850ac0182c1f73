const turnMachines: ReadonlySet<string> = new Set(["llmAgent", "hookedLlmAgent", "guardedLlmAgent"])

/** Returns whether a library machine runs the turn of an LlmAgent. */
export const isTurnMachine = (src: string): boolean => turnMachines.has(src)
