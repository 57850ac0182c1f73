import { InvalidArgumentError } from "commander"

/** Parses a port number from 0 to 65535. Port 0 selects any free port. */
export function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("The value must be a port from 0 to 65535.")
  return port
}
