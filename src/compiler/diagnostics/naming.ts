/**
 * The two ways to write field names, `outputKey` and `output_key`. Tables use the first; messages use what the user
 * uses.
 */
export interface Naming {
  /** A field's name as this user would write it. */
  readonly name: (camelCase: string) => string
  /** To be told of every name that was recognised. */
  readonly saw: (written: string) => void
}

/** `snake` is what is assumed until the user shows it: YAML is written that way. */
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
