/** A whole graph that calls the service at `base` for everything. */
export function graph(base: string): object
