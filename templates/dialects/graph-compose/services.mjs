/** Tools by their id in `globalTools` of workflow.json. Each tool has a method `call`. */
export const tools = {}
