import type { Command } from "commander"

/** Where templates may lead calls to, as the command line says it. */
export interface HostOptions {
  /** Every host on the internet. */
  readonly allowTemplateHosts?: boolean
  /** These hosts. */
  readonly allowHost?: readonly string[]
  readonly allowPrivateAddresses?: boolean
}

/** Gives a command the options for hosts that templates decide on. */
export const withHostOptions = (command: Command): Command =>
  command
    .option("--allow-template-hosts", "allow templates to choose any public host")
    .option(
      "--allow-host <pattern>",
      "allow templates to choose this host, such as api.example.com or *.example.com (repeatable)",
      (one: string, others: readonly string[] = []) => [...others, one],
    )
    .option(
      "--allow-private-addresses",
      "allow templates to choose localhost and addresses in private networks",
    )
