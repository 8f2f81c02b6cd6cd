import type { z } from 'zod'
import type { Access } from './access.ts'
import type { Catalog } from './catalog.ts'
import type { Tag } from './endpoint.ts'
import type { Path } from './path.ts'

/** What a document is made of: everything that is known at start and does not change while we run. */
export type Site = {
  baseUrl: string
  mode: string
  contactEmail: string
  catalog: Catalog
  demoCallsPerDay: number
  facilitator: string
  payment: PaymentTerms
  startedAt: string
}

/** One way to pay one price, as it stands in an x402 envelope. */
export type Requirement = {
  scheme: 'exact'
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, string>
}
export type PaymentTerms = {
  accepts(priceAtomic: string): readonly Requirement[]
  /** Taken in principle and not offered now: earlier payments on it may still be under way. */
  isSuspended(network: string): boolean
}

export type Rendering = {
  mediaType: string
  render: (site: Site) => string
  /** What the rendering parses to, for the API description; only JSON has one. */
  schema?: z.ZodType
  /** A short piece of the rendering, for the API description; it must not render that description itself. */
  example?: (site: Site) => unknown
}

/** A description of the service, derived from the catalog and rendered once at start. */
export type Document = {
  kind: 'document'
  id: string
  method: 'GET'
  path: Path
  aliases?: readonly Path[]
  access: Access & { kind: 'free' }
  tag: Tag
  summary: string
  description: string
  /** The first is the default; the others are chosen by `Accept`. */
  renderings: readonly [Rendering, ...Rendering[]]
}

export function defineDocument(
  document: Omit<Document, 'kind' | 'method' | 'access' | 'tag'> & { tag?: Tag },
): Document {
  return { tag: 'discovery', ...document, kind: 'document', method: 'GET', access: { kind: 'free' } }
}

/** An address that only points to another of ours. */
export type Redirect = {
  kind: 'redirect'
  id: string
  method: 'GET'
  path: Path
  aliases?: readonly Path[]
  access: Access & { kind: 'free' }
  tag: Tag
  summary: string
  description: string
  to: Path
}

export function defineRedirect(redirect: Omit<Redirect, 'kind' | 'method' | 'access'>): Redirect {
  return { ...redirect, kind: 'redirect', method: 'GET', access: { kind: 'free' } }
}
