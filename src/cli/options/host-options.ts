import type { Command } from "commander"
import { repeatableOption } from "./repeatable-option.js"

/** Command-line options for the network hosts that URL templates in a workflow may address. */
export interface HostOptions {
  /** Whether URL templates whose host is a variable may address any public host. */
  readonly allowTemplateHosts?: boolean
  /** Patterns of hosts that URL templates may address, for example `*.example.com`. */
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
