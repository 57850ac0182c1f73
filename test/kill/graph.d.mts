/** Returns a graph whose nodes, models and tools call the service at `base`. */
export function graph(base: string): object
