import type { InputOptions } from "rolldown"

/** What rolldown reads to bundle src/. */
export const bundleInput: InputOptions
