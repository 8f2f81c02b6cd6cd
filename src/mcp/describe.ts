import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isPaid } from '../catalog/catalog.ts'
import type { ProtocolCall, ProtocolReply } from '../catalog/endpoints/protocol.ts'
import type { Site } from '../catalog/site.ts'
import { SERVICE } from '../core/service.ts'
import { ServiceError } from '../core/service-error.ts'
import { descriptionOf } from '../discovery/about.ts'
import { subjectUrl } from '../discovery/address.ts'
import { costText, priceOf } from '../discovery/prices/price.ts'
import { JSON_TYPE } from '../http/headers.ts'
import { failureReply } from '../http/reply.ts'
import { freeCallsOf, PAYMENT } from './terms.ts'
import { toolProducts } from './tools.ts'

export const Described = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  description: z.string().min(1),
  transport: z.literal('streamable-http'),
  url: z.url(),
  protocol_versions: z.array(z.string().min(1)).min(1),
  free_calls: z.string().min(1),
  payment: z.string().min(1),
  docs: z.url(),
  tools: z.array(
    z.object({
      name: z.string().min(1),
      title: z.string().min(1),
      price_usdc: z.number().min(0),
      description: z.string().min(1),
    }),
  ),
})
export type Described = z.infer<typeof Described>

/** The revision without a handshake; the SDK lists only those that have one. */
export const PROTOCOL_VERSIONS = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]
const CACHE = 'public, max-age=60'

/** GET is for people: a client that asks for a stream of events hears that there is none. */
export function createDescribe(site: Site, url: string): (call: ProtocolCall) => ProtocolReply {
  const described = describe(site, url)
  const json = `${JSON.stringify(described, null, 2)}\n`
  const text = textOf(described)
  return ({ headers, requestId }) => {
    const accept = String(headers.accept ?? '')
    if (wantsStreamOnly(accept)) return noStream(requestId)
    const isText = !/json|\*\/\*/.test(accept) && accept.includes('text/')
    const type = isText ? 'text/plain; charset=utf-8' : JSON_TYPE
    return {
      status: 200,
      headers: ['Content-Type', type, 'Cache-Control', CACHE, 'Vary', 'Accept'],
      body: isText ? text : json,
    }
  }
}

export function describe(site: Site, url: string): Described {
  return {
    name: SERVICE.name,
    version: SERVICE.version,
    description: descriptionOf(site),
    transport: 'streamable-http',
    url,
    protocol_versions: PROTOCOL_VERSIONS,
    free_calls: freeCallsOf(site),
    payment: PAYMENT,
    docs: subjectUrl(site, 'mcp'),
    tools: [...toolProducts(site)].map(([name, product]) => ({
      name,
      title: product.summary,
      price_usdc: isPaid(product) ? priceOf(product).usdc : 0,
      description: `${product.description} ${costText(product)}`,
    })),
  }
}

function textOf({ name, description, url, tools, payment, free_calls, docs }: Described): string {
  const lines = tools.map((tool) => `  ${tool.name}  $${tool.price_usdc}  ${tool.title}`)
  return `${name}: MCP server (streamable HTTP) at ${url}\n\n${description}\n\nTools, with the price of a call:\n${lines.join('\n')}\n\n${free_calls}\n${payment}\n\nMore: ${docs}\n`
}

function wantsStreamOnly(accept: string): boolean {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  return types.length > 0 && types.every((type) => type === 'text/event-stream')
}

function noStream(requestId: string): ProtocolReply {
  const refusal = new ServiceError('method_not_allowed', 'this server sends no events of its own', {
    hint: 'POST messages; each reply is complete',
  })
  const { status, headers, body } = failureReply(refusal, requestId)
  return { status, headers: [...headers, 'Allow', 'GET, HEAD, POST, OPTIONS'], body }
}
