/** Headings of `docs/security.md` and the tests that prove them, where these stand with what they are about: file, and the name of a test or a group. */
export const provenElsewhere: Readonly<
  Record<string, readonly (readonly [file: string, name: string])[]>
> = {
  "A large or deep config is refused": [
    ["compiler/hostile-configs.test.ts", "hostile depth"],
    ["compiler/hostile-configs.test.ts", "hostile size"],
  ],
  "A YAML bomb is refused before it is written out": [
    ["compiler/yaml-text.test.ts", "a hostile YAML text costs little"],
  ],
  "Keys of prototypes are data": [
    ["compiler/hostile-configs.test.ts", "keys of prototypes"],
    ["compiler/yaml-text.test.ts", "keeps keys such as __proto__ as data"],
  ],
  "Reading a config never throws": [
    ["compiler/never-throws.test.ts", "reading a workflow never throws"],
  ],
  "A config does not reach files outside of its folder": [
    [
      "adapters/folders.test.ts",
      "is left over no link: neither by a file, nor by a folder, nor by a link to a link",
    ],
  ],
  "A config starts no program": [
    ["cli/toolsets.test.ts", "does not start a program without leave"],
    [
      "adapters/mcp/mcp-toolset.test.ts",
      "are not started without leave where they are programs, unless code serves the name",
    ],
  ],
  "A condition can compute and nothing else": [
    [
      "expression/escape-attempts.test.ts",
      "there are 300 attempts and more, each with a name of its own",
    ],
    ["expression/escape-attempts.test.ts", "the traps catch what careless code does"],
  ],
  "A condition takes bounded work": [
    ["expression/limits.test.ts", "constant bombs are refused before they run"],
    ["expression/limits.test.ts", "bombs made of the state reach a limit while they run"],
  ],
  "A template takes bounded work": [["template/hostile-templates.test.ts", "%s ends quickly"]],
  "A model's answer has a size and a depth that can be handled": [
    ["adapters/http-failures.test.ts", "an answer that is too large"],
  ],
  "An answer of another shape is an error": [
    ["adapters/http-failures.test.ts", "an answer that is none"],
  ],
  "An answer is not read beyond its limit": [
    ["adapters/http-failures.test.ts", "an answer that is too large"],
    ["adapters/http-failures.test.ts", "what is opened is closed"],
    ["runtime/failing-services.test.ts", "a model service that fails"],
  ],
  "What a template fills in stays in its place": [
    ["adapters/http-urls.test.ts", "what a template fills in stays in its place"],
    ["adapters/http-urls.test.ts", "what would lead elsewhere is refused before any request"],
    ["adapters/http-urls.test.ts", "headers"],
  ],
  "A secret is told to nobody but its service": [
    ["adapters/canary-secret.test.ts", "a secret of a config"],
    ["adapters/canary-secret.test.ts", "a provider's key"],
    ["adapters/canary-secret.test.ts", "a secret of an MCP server"],
    ["adapters/http-secrets.test.ts", "a service that gives a secret back gives it to nobody"],
  ],
  "Only the secrets that the runner offers can be reached": [
    ["adapters/secret-sources.test.ts", "secrets from the environment"],
    ["adapters/secret-sources.test.ts", "secrets from an object are its own fields"],
  ],
  "Only who has the token is served": [
    ["server/runs.test.ts", "wants its token; health and the description of the routes need none"],
    [
      "server/runs.test.ts",
      "serves without a token on this machine only, and limits how often one may ask",
    ],
    [
      "server/mcp.test.ts",
      "takes nobody without the token, no tool that is none, and no more than it may",
    ],
    ["studio/api.test.ts", "wants its token, in a header or in the query"],
  ],
  "Pages of others may not ask": [
    ["server/runs.test.ts", "answers to no other name, and only to pages that were allowed"],
    ["studio/api.test.ts", "answers to no other name, and to no other page"],
    [
      "studio/api.test.ts",
      "sends a page that may load nothing from elsewhere and run no script in it",
    ],
  ],
  "The studio reads and writes in its folder only": [
    [
      "studio/api.test.ts",
      "lists the workflows of its folder, and neither what is installed nor what a link leads out to",
    ],
  ],
  "A journal that is damaged is an error, not a run": [
    ["journals/jsonl.test.ts", "a corrupt middle is an error with file and line: %s"],
    [
      "journals/jsonl.test.ts",
      "cut off at any byte, it holds what was whole; the rest is cut off and told, and the next record fits",
    ],
    [
      "journals/jsonl.test.ts",
      "with rubbish at its end, as a crash of the machine leaves it, it is cut off there",
    ],
  ],
  "A drawing and an exported source hold texts as texts": [
    ["drawing/svg.test.ts", "has what a text says as text, not as markup"],
    ["drawing/drawing.test.ts", "labels hold no marks that mean something"],
  ],
}
