import type { ParserLocation } from "./parser-context.js"
import { report } from "../../diagnostics/config-location.js"
import type { ParserContext } from "./parser-context.js"

/**
 * Records the use of an unsupported feature. Returns null, which becomes the value of the field.
 * Later, {@link reportUnsupported} reports all recorded uses in one diagnostic.
 */
export function noteUnsupported(location: ParserLocation, feature: string): null {
  location.parser.unsupported.push({ location, feature })
  return null
}

const listed = 10

/** Reports all recorded uses of unsupported features in one diagnostic. */
export function reportUnsupported({ unsupported }: ParserContext): void {
  const [first, ...others] = unsupported
  if (first === undefined) return
  const names = others
    .slice(0, listed)
    .map(
      ({ location, feature }) =>
        `${location.field === "" ? "" : `"${location.field}" of `}${location.owner.label} (${feature})`,
    )
  const more = others.length - names.length
  const rest =
    names.length === 0
      ? ""
      : ` The same applies to ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`
  report(first.location, {
    code: "dialect_unsupported",
    problem: `uses ${first.feature}, which are not supported yet`,
    fix: `Remove this part of the config. docs/config.md lists the features that the adk dialect supports.${rest}`,
  })
}
