/** A workflow that calls the service at `base` for everything. */
export function workflow(base: string): object
