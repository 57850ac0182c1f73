import { InvalidArgumentError } from "commander"

/** Parses an HTTP or HTTPS URL. Throws an argument error if the text is not such a URL. */
export function serverUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new InvalidArgumentError(
    !text.includes("://") && URL.canParse(`http://${text}`)
      ? `The URL has no scheme. Write http://${text} or https://${text}.`
      : "The value must be a URL such as http://127.0.0.1:11434/v1.",
  )
}
