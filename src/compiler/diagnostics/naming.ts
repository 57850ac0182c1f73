/**
 * The naming convention of a config: `outputKey` or `output_key`. Field tables contain camelCase
 * names. Messages use the convention of the user.
 */
export interface Naming {
  /** Returns a field name in the naming convention of the user's config. */
  readonly name: (camelCase: string) => string
  /** Records a field name that the config contains, to detect the naming convention. */
  readonly saw: (written: string) => void
}

/**
 * Creates a `Naming` that detects the convention of the user. Until a name in the config shows the
 * convention, `snake` decides: true means snake_case, which is used for YAML.
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
