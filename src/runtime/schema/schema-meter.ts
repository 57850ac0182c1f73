/** The maximum number of checks for one value. A check takes 100 to 400 ns. */
const maxChecks = 400_000

/** The error of a validation that needs too many checks. */
export class SchemaTooCostly extends Error {
  override readonly name = "SchemaTooCostly"
}

/**
 * Counts the checks of one value. Throws `SchemaTooCostly` at the limit, so that a schema cannot
 * block the process.
 */
export class SchemaMeter {
  #left = maxChecks

  readonly spend = (checks: number): void => {
    this.#left -= checks
    if (this.#left < 0) throw new SchemaTooCostly(`it would take more than ${maxChecks} checks`)
  }
}
