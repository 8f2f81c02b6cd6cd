import type { Document } from '../catalog/endpoints/document.ts'
import type { Site } from '../catalog/site.ts'
import { agentCard } from './agents/agent-card.ts'
import { agents } from './agents/agents.ts'
import { aiCatalog } from './agents/ai-catalog.ts'
import { apiCatalog } from './agents/api-catalog.ts'
import { llms, llmsFull } from './agents/llms.ts'
import { mcpRegistryEntry, mcpServerCard } from './agents/mcp-server-card.ts'
import { favicon } from './crawlers/favicon.ts'
import { robots } from './crawlers/robots.ts'
import { security } from './crawlers/security.ts'
import { sitemap, sitemapMarkdown } from './crawlers/sitemap.ts'
import { directory } from './directory.ts'
import { withTwin } from './markdown/twin.ts'
import { methodology } from './methodology.ts'
import { openapi } from './openapi/document.ts'
import { paidListing } from './prices/paid.ts'
import { pricing } from './prices/pricing.ts'
import { x402Manifest } from './prices/x402-manifest.ts'
import { quickstart } from './quickstart.ts'

/** Everything the service says about itself; each is a function of the site, rendered once at start. */
export const documents: readonly Document<Site>[] = [
  ...withTwin(directory),
  ...withTwin(quickstart),
  ...withTwin(methodology),
  ...withTwin(pricing),
  ...withTwin(paidListing),
  ...withTwin(agents),
  openapi,
  x402Manifest,
  agentCard,
  llms,
  llmsFull,
  apiCatalog,
  aiCatalog,
  mcpServerCard,
  mcpRegistryEntry,
  security,
  robots,
  sitemap,
  sitemapMarkdown,
  favicon,
]
