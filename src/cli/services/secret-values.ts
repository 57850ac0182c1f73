import { readFileSecretValues } from "../../adapters/http/secrets/secret-sources.js"
import type { ServiceOptions } from "../options/service-options.js"
import { secretPrefix } from "./open-services.js"

/** Returns the values of all secrets that a workflow can read. They are masked in output. */
export const secretValues = ({ secrets }: Pick<ServiceOptions, "secrets">): readonly string[] =>
  secrets === undefined
    ? Object.entries(process.env).flatMap(([name, value]) =>
        name.startsWith(secretPrefix) && value !== undefined && value !== "" ? [value] : [],
      )
    : readFileSecretValues(secrets)
