const turnMachines: ReadonlySet<string> = new Set(["llmAgent", "hookedLlmAgent", "guardedLlmAgent"])

/** Returns whether the machine with this name runs turns of LlmAgents. */
export const isTurnMachine = (src: string): boolean => turnMachines.has(src)
