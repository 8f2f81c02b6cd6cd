import type { Document } from '../catalog/document.ts'
import { agentCard } from './agent-card.ts'
import { agents } from './agents.ts'
import { aiCatalog } from './ai-catalog.ts'
import { apiCatalog } from './api-catalog.ts'
import { directory } from './directory.ts'
import { favicon } from './favicon.ts'
import { llms, llmsFull } from './llms.ts'
import { openapi } from './openapi/document.ts'
import { paidListing } from './paid.ts'
import { pricing, pricingMarkdown } from './pricing.ts'
import { quickstart, quickstartMarkdown } from './quickstart.ts'
import { robots } from './robots.ts'
import { security } from './security.ts'
import { sitemap } from './sitemap.ts'
import { x402Manifest } from './x402-manifest.ts'

/** Everything the service says about itself; each is a function of the site, rendered once at start. */
export const documents: readonly Document[] = [
  directory,
  quickstart,
  quickstartMarkdown,
  pricing,
  pricingMarkdown,
  paidListing,
  agents,
  openapi,
  x402Manifest,
  agentCard,
  llms,
  llmsFull,
  apiCatalog,
  aiCatalog,
  security,
  robots,
  sitemap,
  favicon,
]
