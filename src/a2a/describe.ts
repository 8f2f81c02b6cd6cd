import { z } from 'zod'
import type { ProtocolReply } from '../catalog/endpoints/protocol.ts'
import type { Site } from '../catalog/site.ts'
import { SERVICE } from '../core/service.ts'
import { urlOf } from '../discovery/address.ts'
import { JSON_TYPE } from '../http/headers.ts'
import type { NoSkill } from './find-skill.ts'

export const Described = z.object({
  name: z.string().min(1),
  protocol: z.string().min(1),
  url: z.url(),
  bindings: z.array(z.string().min(1)).min(1),
  agent_card: z.url(),
  how_to_ask: z.string().min(1),
})

/** What a message must hold, for people and for agents that sent none. */
export function howToAsk(site: Site): string {
  return `Send a data part such as {"skill": "market.price", "params": {"token": "BTC"}}, or the address of a skill as text. The skills are in ${urlOf(site, 'document.agent_card')}.`
}

const SHOWN_CHARS = 100

export function noSuchSkill(site: Site, { unknown, known }: NoSkill): string {
  const shown = JSON.stringify(unknown.slice(0, SHOWN_CHARS))
  return `There is no skill ${shown}. The skills are ${known.join(', ')}. ${howToAsk(site)}`
}

/** People and link checkers that follow the address of the card find out what answers there. */
export function createDescribe(site: Site): () => ProtocolReply {
  const described: z.input<typeof Described> = {
    name: SERVICE.name,
    protocol: 'A2A 1.0',
    url: urlOf(site, 'a2a.rpc'),
    bindings: ['JSONRPC', 'HTTP+JSON'],
    agent_card: urlOf(site, 'document.agent_card'),
    how_to_ask: howToAsk(site),
  }
  const body = `${JSON.stringify(described, null, 2)}\n`
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', 'public, max-age=60']
  return () => ({ status: 200, headers, body })
}
