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
    .option("--allow-template-hosts", "let templates decide which host is called")
    .option(
      "--allow-host <pattern>",
      "let templates decide on this host, such as api.example.com or *.example.com; may be given several times",
      (one: string, others: readonly string[] = []) => [...others, one],
    )
    .option(
      "--allow-private-addresses",
      "let templates lead to this machine and to private networks",
    )
