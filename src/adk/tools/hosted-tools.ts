import { describe } from "../description/program-builder.js"
import { ChartedTool } from "./charted-tool.js"

/**
 * A tool that only Google's models execute. `compile` reports how to register a replacement with
 * the same name.
 */
abstract class HostedTool extends ChartedTool {
  override [describe](): unknown {
    return this.name
  }
}

export class GoogleSearchTool extends HostedTool {
  constructor() {
    super({ name: "google_search", description: "Searches the web with Google Search." })
  }
}

export class UrlContextTool extends HostedTool {
  constructor() {
    super({ name: "url_context", description: "Reads the pages behind the URLs of a message." })
  }
}

export class GoogleMapsGroundingTool extends HostedTool {
  constructor() {
    super({ name: "google_maps_grounding", description: "Looks places up in Google Maps." })
  }
}

export class EnterpriseWebSearchTool extends HostedTool {
  constructor() {
    super({ name: "enterprise_web_search", description: "Searches the web for enterprises." })
  }
}

export const GOOGLE_SEARCH = new GoogleSearchTool()
export const URL_CONTEXT = new UrlContextTool()
export const GOOGLE_MAPS_GROUNDING = new GoogleMapsGroundingTool()
export const ENTERPRISE_WEB_SEARCH = new EnterpriseWebSearchTool()
