import process from "node:process"

/** How many random cases each property is tried on. */
export const cases = Number(process.env["PROPERTY_CASES"] ?? 1_000)

/** What the cases are made from; another one each day, so that in time many are tried, and on one day a failure can be had again. */
export const seed = Number(process.env["PROPERTY_SEED"] ?? Math.floor(Date.now() / 86_400_000))

/** Enough for a machine that is busy: what ends a case is the work that it does, not the time that it takes. */
export const timeout = 60_000 + cases * 400
