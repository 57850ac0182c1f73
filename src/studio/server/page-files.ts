import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { thisPackage } from "../../adapters/package-folder.js"
import { AgentStatechartsError } from "../../errors.js"

/** The files of the built page. */
export interface PageFiles {
  answer(path: string): Response
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
}

/** All of them in memory: what is not among them is not there, whatever a path says. */
export function pageFiles(
  folder: string = join(thisPackage().folder, "dist/studio/page"),
): PageFiles {
  if (!existsSync(join(folder, "index.html")))
    throw new AgentStatechartsError(
      "input_refused",
      `the page of the studio is not built: ${folder} is empty. In a clone, run npm run build.`,
    )
  const files = new Map<string, { readonly bytes: Buffer; readonly type: string }>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const whole = join(entry.parentPath, entry.name)
    files.set(`/${whole.slice(folder.length).replaceAll("\\", "/").replace(/^\//, "")}`, {
      bytes: readFileSync(whole),
      type: types[extname(entry.name)] ?? "application/octet-stream",
    })
  }
  return {
    answer(path) {
      const found = files.get(path === "/" ? "/index.html" : path)
      if (found === undefined)
        return new Response("not found\n", {
          status: 404,
          headers: { "content-type": "text/plain" },
        })
      return new Response(new Uint8Array(found.bytes), {
        headers: {
          "content-type": found.type,
          "cache-control": path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-store",
        },
      })
    },
  }
}
