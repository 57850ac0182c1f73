/** Maximum number of steps for the validation of one value. A step takes 100 to 400 ns. */
const maxChecks = 400_000

/** Thrown if the validation of a value needs too many steps. */
export class SchemaTooCostly extends Error {
  override readonly name = "SchemaTooCostly"
}

/**
 * Counts the steps of one JSON Schema validation. Throws `SchemaTooCostly` when the limit is
 * exceeded, so that no schema can block the process.
 */
export class SchemaMeter {
  #left = maxChecks

  readonly spend = (checks: number): void => {
    this.#left -= checks
    if (this.#left < 0) throw new SchemaTooCostly(`it would take more than ${maxChecks} checks`)
  }
}
