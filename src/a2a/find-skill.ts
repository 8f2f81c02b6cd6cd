import type { AnyProduct } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import { skillProducts } from '../discovery/agents/skills.ts'
import { createRouter } from '../http/router.ts'
import { type AddressOf, createAddressOf } from '../http/sell/address-of.ts'
import { A2aError } from './a2a-error.ts'
import type { Message } from './message.ts'

/** What a message asks for: a skill of the card, and the address whose GET brings the same. */
export type Asking = { product: AnyProduct; address: () => string }
/** A skill that was named and does not exist. */
export type NoSkill = { unknown: string; known: readonly string[] }
export type FindSkill = (message: Pick<Message, 'parts'>) => Asking | NoSkill | undefined

const ADDRESS = /^(?:GET\s+)?(\S+)$/

/** Data names a skill and its params; text is an address, as the examples of the card show it. Nothing is guessed. */
export function createFindSkill({ catalog, baseUrl }: Pick<Site, 'catalog' | 'baseUrl'>): FindSkill {
  const router = createRouter(catalog)
  const skills = new Map<string, { product: AnyProduct; addressOf: AddressOf }>(
    skillProducts(catalog).map((product) => [product.id, { product, addressOf: createAddressOf(product) }]),
  )
  const ofData = (data: unknown): Asking | NoSkill | undefined => {
    if (typeof data !== 'object' || data === null || !('skill' in data)) return undefined
    if (typeof data.skill !== 'string') throw new A2aError('INVALID_PARAMS', 'skill must be text')
    const skill = skills.get(data.skill)
    const params = 'params' in data ? data.params : undefined
    if (!skill) return { unknown: data.skill, known: [...skills.keys()] }
    return { product: skill.product, address: () => skill.addressOf(params) }
  }
  const ofText = (text: string): Asking | undefined => {
    const [, named = ''] = ADDRESS.exec(text.trim()) ?? []
    const address = named.startsWith(`${baseUrl}/`) ? named.slice(baseUrl.length) : named
    if (!address.startsWith('/')) return undefined
    const endpoint = router.find(address.split('?', 1)[0] ?? '')?.routes.get('GET')?.endpoint
    const skill = endpoint && skills.get(endpoint.id)
    return skill && { product: skill.product, address: () => address }
  }
  return ({ parts }) => {
    for (const { text, data } of parts) {
      const found = data === undefined ? ofText(text ?? '') : ofData(data)
      if (found) return found
    }
    return undefined
  }
}
