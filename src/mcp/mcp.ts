import type { Log } from '../core/log.ts'
import { pathOf } from '../discovery/address.ts'
import type { AdmitMessages } from '../http/json-rpc/admit-messages.ts'
import { createCheckHost } from '../http/request/own-host.ts'
import { createAnswerMessages } from './answer.ts'
import { createServerFactory } from './create-server.ts'
import { createDescribe } from './describe.ts'
import { createExchange } from './exchange.ts'
import type { McpServices } from './group.ts'
import type { McpPorts } from './surface.ts'

export function createMcp(ports: McpPorts & { log: Log; admitMessages: AdmitMessages }): McpServices {
  const { site, log, admitMessages } = ports
  const path = pathOf(site.catalog, 'mcp.call')
  const url = site.baseUrl + path
  const exchange = createExchange(createServerFactory(ports, path), url, log)
  return {
    describe: createDescribe(site, url),
    answerMessages: createAnswerMessages({ exchange, checkHost: createCheckHost(site), admitMessages }),
  }
}
