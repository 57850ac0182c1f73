/** What validating one value may cost. A check takes 100 to 400 nanoseconds. */
const mostChecks = 400_000

export class SchemaTooCostly extends Error {
  override readonly name = "SchemaTooCostly"
}

/**
 * Counts the work of validating one value, so that a schema from a config or a server cannot keep
 * the process busy.
 */
export class SchemaMeter {
  #left = mostChecks

  readonly spend = (checks: number): void => {
    this.#left -= checks
    if (this.#left < 0) throw new SchemaTooCostly(`it would take more than ${mostChecks} checks`)
  }
}
