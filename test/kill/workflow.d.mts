/** Returns a workflow whose models and tools call the service at `base`. */
export function workflow(base: string): object
