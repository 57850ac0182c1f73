/**
 * The current state of a chart's machine in XState's format: a state key, or an object that maps
 * each active state to its active inner state.
 */
export type ChartStateValue = string | { readonly [key: string]: ChartStateValue | undefined }
