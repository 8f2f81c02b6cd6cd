import { Server } from '@modelcontextprotocol/server'
import { SERVICE } from '../core/service.ts'
import { descriptionOf } from '../discovery/about.ts'
import { urlOf } from '../discovery/address.ts'
import { createCallTool } from './call-tool.ts'
import { createPrompts } from './prompts.ts'
import { createResources } from './resources.ts'
import type { McpCaller, McpPorts } from './surface.ts'
import { freeCallsOf, PAYMENT } from './terms.ts'
import { describeTool, toolProducts } from './tools.ts'

export type CreateServer = (caller: McpCaller) => Server

const MINUTE_MS = 60_000
/** Lists change with a new version of the service only. */
const CACHED = { ttlMs: 5 * MINUTE_MS, cacheScope: 'public' } as const

/** Everything is prepared once; a server is made for each message and only knows who sent it. */
export function createServerFactory(ports: McpPorts, path: string): CreateServer {
  const { site } = ports
  const tools = [...toolProducts(site)].map(([name, product]) => describeTool(site, name, product))
  const callTool = createCallTool(ports)
  const resources = createResources(ports, path)
  const prompts = createPrompts(site)
  const identity = {
    name: SERVICE.name.toLowerCase(),
    title: SERVICE.name,
    version: SERVICE.version,
    websiteUrl: urlOf(site, 'document.directory'),
  }
  const options = {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: instructionsOf(ports),
    cacheHints: {
      'tools/list': CACHED,
      'resources/list': CACHED,
      'prompts/list': CACHED,
      'server/discover': CACHED,
    },
  }
  return (caller) => {
    const server = new Server(identity, options)
    server.setRequestHandler('tools/list', () => ({ tools: [...tools] }))
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args } }, { mcpReq }) =>
      callTool({ name, args, meta: mcpReq._meta }, caller, path),
    )
    server.setRequestHandler('resources/list', () => ({ resources: [...resources.list] }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri, caller))
    server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts.list] }))
    server.setRequestHandler('prompts/get', ({ params }) => prompts.get(params.name, params.arguments ?? {}))
    return server
  }
}

function instructionsOf({ site }: McpPorts): string {
  return [
    descriptionOf(site),
    'The description of each tool says its price. Resources are free: the price list, a quickstart, how everything is computed and how well the forecasts are calibrated.',
    freeCallsOf(site),
    PAYMENT,
    'What fails is a tool error that says what to do next; it costs nothing and uses no free call.',
  ].join('\n\n')
}
