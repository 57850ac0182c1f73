import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { thisPackage } from "../../adapters/package-folder.js"
import { AgentStatechartsError } from "../../errors.js"

/** The built files of the studio's page, which are kept in memory. */
export interface PageFiles {
  /**
   * Returns the HTTP response for a URL path. The body is compressed if the client accepts gzip. If
   * the file does not exist, the status is 404.
   */
  respond(path: string, acceptsGzip: boolean): Response
}

interface PageFile {
  readonly bytes: Buffer
  readonly type: string
  /** The file compressed with gzip. It is computed at the first request that accepts gzip. */
  compressed?: Buffer
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
}

/**
 * Loads all files of the studio's page into memory. Only these files are served, so a URL path
 * cannot read any other file on disk.
 */
export function pageFiles(
  folder: string = join(thisPackage().folder, "dist/studio/page"),
): PageFiles {
  if (!existsSync(join(folder, "index.html")))
    throw new AgentStatechartsError(
      "input_refused",
      `the page of the studio is missing: ${folder} is empty. If this is a clone of the repository, run npm run build.`,
    )
  const files = new Map<string, PageFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(`/${path.slice(folder.length).replaceAll("\\", "/").replace(/^\//, "")}`, {
      bytes: readFileSync(path),
      type: types[extname(entry.name)] ?? "application/octet-stream",
    })
  }
  return {
    respond(path, acceptsGzip) {
      const file = files.get(path === "/" ? "/index.html" : path)
      if (file === undefined)
        return new Response("not found\n", {
          status: 404,
          headers: { "content-type": "text/plain" },
        })
      if (acceptsGzip) file.compressed ??= gzipSync(file.bytes)
      return new Response(new Uint8Array((acceptsGzip && file.compressed) || file.bytes), {
        headers: {
          "content-type": file.type,
          vary: "accept-encoding",
          ...(acceptsGzip && { "content-encoding": "gzip" }),
          "cache-control": path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-store",
        },
      })
    },
  }
}
