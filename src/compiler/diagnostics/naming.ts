/**
 * Detects the naming convention of a config: camelCase (`outputKey`) or snake_case (`output_key`).
 * Messages use field names in this convention.
 */
export interface Naming {
  /** Converts a camelCase field name to the naming convention of the config. */
  readonly name: (camelCase: string) => string
  /** Records a field name in the config, from which the naming convention is detected. */
  readonly saw: (written: string) => void
}

/**
 * Creates a `Naming`, which detects whether a config uses camelCase or snake_case. `snake` is the
 * convention to use until a name in the config shows it. True means snake_case, which is the
 * default in YAML.
 */
export function createNaming(snake = false): Naming {
  let prefersSnake: boolean | null = null
  return {
    name: (camelCase) => ((prefersSnake ?? snake) ? snakeCase(camelCase) : camelCase),
    saw(written) {
      if (prefersSnake === null && /[A-Z_]/.test(written)) prefersSnake = written.includes("_")
    },
  }
}

export const snakeCase = (camelCase: string): string =>
  camelCase.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
