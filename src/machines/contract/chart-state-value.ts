/**
 * A state value of the machine of a chart, as XState defines it: a state key, or an object with the
 * active inner state of each active state.
 */
export type ChartStateValue = string | { readonly [key: string]: ChartStateValue | undefined }
