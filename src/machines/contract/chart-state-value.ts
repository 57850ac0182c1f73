/**
 * The current state of a chart's machine in XState's format. It is the key of a state, or an object
 * that maps the key of each active state to the value of its inner states.
 */
export type ChartStateValue = string | { readonly [key: string]: ChartStateValue | undefined }
