import { z } from 'zod'
import type { AnyProduct } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import { paramShapes } from '../../catalog/json-schema.ts'
import { pathNames } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { API_VERSION, descriptionOf, NAME } from '../about.ts'
import { docsUrl, findPath, openRoutes, paidRoutes, urlOf } from '../address.ts'
import { json } from '../json-document.ts'
import { costText, waysToPay } from '../prices/price.ts'
import { canBeFollowed, sampleUrl } from '../sample-call.ts'
import { skillProducts } from './skills.ts'

const JSON_ONLY = ['application/json']
/** Bindings are an open list: plain HTTP calls are what the API description says. */
const BINDING = 'OpenAPI'
const BINDING_VERSION = '3.1'
/** Payment in headers of plain HTTP. */
const X402 = 'https://www.x402.org'
/** Payment in A2A messages. */
export const A2A_X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
const A2A_VERSION = '1.0'

const Skill = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string().min(1)),
  examples: z.array(z.string().min(1)),
  inputModes: z.array(z.string().min(1)),
  outputModes: z.array(z.string().min(1)),
})
const Card = z.looseObject({
  name: z.string().min(1),
  description: z.string().min(1),
  version: z.string().min(1),
  supportedInterfaces: z.array(
    z.object({ url: z.url(), protocolBinding: z.string().min(1), protocolVersion: z.string().min(1) }),
  ),
  capabilities: z.looseObject({ extensions: z.array(z.looseObject({ uri: z.url() })) }),
  defaultInputModes: z.array(z.string().min(1)),
  defaultOutputModes: z.array(z.string().min(1)),
  skills: z.array(Skill),
})

export const agentCard = defineDocument({
  id: 'document.agent_card',
  path: '/.well-known/agent-card.json',
  aliases: ['/.well-known/agent.json'],
  summary: 'Agent card',
  description: 'What this service can do, as an A2A agent card; each skill names the address to call.',
  renderings: [json({ schema: Card, build: toCard })],
})

function toCard(site: Site): z.input<typeof Card> {
  const url = urlOf(site, 'document.openapi')
  return {
    name: NAME,
    description: `${descriptionOf(site)} ${howToAsk(site)}`,
    version: API_VERSION,
    supportedInterfaces: [
      ...a2aInterfaces(site),
      { url, protocolBinding: BINDING, protocolVersion: BINDING_VERSION },
    ],
    provider: { organization: NAME, url: urlOf(site, 'document.directory') },
    documentationUrl: docsUrl(site),
    iconUrl: urlOf(site, 'document.favicon'),
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [...(a2aUrl(site) ? [A2A_EXTENSION] : []), x402Extension(site)],
    },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: JSON_ONLY,
    defaultOutputModes: JSON_ONLY,
    skills: skillsOf(site),
    // Readers of version 0.3 look for these at the top.
    protocolVersion: '0.3.0',
    url,
    preferredTransport: BINDING,
    additionalInterfaces: [{ url, transport: BINDING }],
    supportsAuthenticatedExtendedCard: false,
  }
}

const a2aUrl = (site: Site) =>
  findPath(site.catalog, 'a2a.rpc') === undefined ? undefined : urlOf(site, 'a2a.rpc')

/** Both bindings answer below one address. */
function a2aInterfaces(site: Site) {
  const url = a2aUrl(site)
  const bindings = url === undefined ? [] : ['JSONRPC', 'HTTP+JSON']
  return bindings.map((protocolBinding) => ({
    url: url ?? '',
    protocolBinding,
    protocolVersion: A2A_VERSION,
  }))
}

function howToAsk(site: Site): string {
  return a2aUrl(site) === undefined
    ? 'Skills are plain HTTP calls.'
    : 'Skills are plain HTTP calls, or messages with a data part {skill, params}.'
}

const A2A_EXTENSION = {
  uri: A2A_X402,
  description:
    'A task that must be paid for waits with x402 terms in the metadata of its status message; the payment goes into the metadata of the next message.',
  required: false,
}

function x402Extension(site: Site) {
  return {
    uri: X402,
    description:
      'Paid skills answer HTTP 402 with x402 payment requirements; the payment goes into a header of the same request.',
    required: false,
    params: {
      x402Version: 2,
      networks: waysToPay(site).map(({ network }) => network),
      manifest: urlOf(site, 'document.x402_manifest'),
      openapi: urlOf(site, 'document.openapi'),
    },
  }
}

/** A skill has no field for them. */
function paramsText({ params, path }: AnyProduct): string {
  const named = paramShapes(params, pathNames(path), {}).map(({ name, required }) =>
    required ? `${name} (must be given)` : name,
  )
  return named.length === 0 ? 'No params.' : `Params: ${named.join(', ')}.`
}

function skillsOf(site: Site): z.input<typeof Skill>[] {
  const { catalog } = site
  const routes = [...paidRoutes(catalog), ...openRoutes(catalog)]
  return skillProducts(catalog).map((product) => ({
    id: product.id,
    name: product.summary,
    description: [product.description, costText(product), paramsText(product)].join(' '),
    tags: [product.tag, product.access.kind],
    examples: routes
      .filter(({ endpoint }) => endpoint === product)
      .map((route) => `${route.method} ${canBeFollowed(route) ? sampleUrl(site, route) : route.path}`),
    inputModes: JSON_ONLY,
    outputModes: JSON_ONLY,
  }))
}
