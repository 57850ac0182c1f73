/** Maximum number of check steps for one value. A step takes 100 to 400 ns. */
const maxChecks = 400_000

/** The error that is thrown if a validation needs too many check steps. */
export class SchemaTooCostly extends Error {
  override readonly name = "SchemaTooCostly"
}

/**
 * A counter of the check steps of one validation. It throws `SchemaTooCostly` when the limit is
 * exceeded, so that no schema can block the process.
 */
export class SchemaMeter {
  #left = maxChecks

  readonly spend = (checks: number): void => {
    this.#left -= checks
    if (this.#left < 0) throw new SchemaTooCostly(`it would take more than ${maxChecks} checks`)
  }
}
