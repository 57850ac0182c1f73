/**
 * The naming convention of a config: `outputKey` or `output_key`. Field tables contain camelCase
 * names. Messages use the convention of the user.
 */
export interface Naming {
  /** Returns the name of a field as this user would write it. */
  readonly name: (camelCase: string) => string
  /** Records a field name that was recognized in the config, to detect the user's convention. */
  readonly saw: (written: string) => void
}

/**
 * Creates a naming that detects the user's convention. `snake` is the assumption until the user
 * writes a name that shows it. It is true for YAML.
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
