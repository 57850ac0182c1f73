import type { Command } from "commander"
import { repeatableOption } from "./repeatable-option.js"

/** Command-line options for the hosts that the URL templates of a workflow may address. */
export interface HostOptions {
  /** Whether URL templates may address every public host. */
  readonly allowTemplateHosts?: boolean
  /** Hosts that URL templates may address. */
  readonly allowHost?: readonly string[]
  readonly allowPrivateAddresses?: boolean
}

/** Adds the options for the hosts that URL templates may address to a command. */
export const withHostOptions = (command: Command): Command =>
  command
    .option("--allow-template-hosts", "allow URL templates to address any public host")
    .addOption(
      repeatableOption(
        "--allow-host <pattern>",
        "allow URL templates to address this host, such as api.example.com or *.example.com",
      ),
    )
    .option(
      "--allow-private-addresses",
      "allow URL templates to address localhost and private networks",
    )
