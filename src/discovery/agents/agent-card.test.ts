import { expect, test } from 'vitest'
import { a2aGroup } from '../../a2a/group.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import type { Group } from '../../catalog/group.ts'
import type { Site } from '../../catalog/site.ts'
import { harbourGroup, rendered, testSite } from '../../testing/discovery/sample-site.ts'
import { discoveryGroup } from '../group.ts'

const card = JSON.parse(rendered(testSite(), 'document.agent_card'))

test('has what version 1.0 requires, and what readers of 0.3 look for', () => {
  expect(card.supportedInterfaces).toEqual([
    { url: 'https://harbour.test:8443/openapi.json', protocolBinding: 'OpenAPI', protocolVersion: '3.1' },
  ])
  expect(card).toMatchObject({
    protocolVersion: '0.3.0',
    url: 'https://harbour.test:8443/openapi.json',
    preferredTransport: 'OpenAPI',
    capabilities: { streaming: false, pushNotifications: false },
  })
  expect(card.description).toContain('Skills are plain HTTP calls.')
  expect(card.description.length).toBeLessThanOrEqual(500)
})

test('promises no A2A messages where nothing answers them', () => {
  const bindings = [
    ...card.supportedInterfaces.map(({ protocolBinding }: { protocolBinding: string }) => protocolBinding),
    ...card.additionalInterfaces.map(({ transport }: { transport: string }) => transport),
    card.preferredTransport,
  ]
  for (const reserved of ['JSONRPC', 'GRPC', 'HTTP+JSON']) expect(bindings).not.toContain(reserved)
  expect([card.securitySchemes, card.capabilities.extendedAgentCard]).toEqual([{}, false])
})

test('has one skill for each product that a GET brings to anybody, with its price and every address', () => {
  const skills = card.skills as { id: string; description: string; tags: string[]; examples: string[] }[]
  expect(skills.map(({ id, tags }) => [id, tags.at(-1)])).toEqual([
    ['test.harbour', 'paid'],
    ['test.tides', 'free'],
  ])
  expect(skills[0]?.description).toContain('$0.0125 per call')
  expect(skills[0]?.examples).toHaveLength(3)
})

test('names the address of messages, and their payment, where they are answered', () => {
  const catalog = createCatalog<Site>([harbourGroup, a2aGroup as Group<never>, discoveryGroup])
  const spoken = JSON.parse(rendered(testSite({ catalog }), 'document.agent_card'))
  const url = 'https://harbour.test:8443/a2a'
  expect(spoken.supportedInterfaces.slice(0, 2)).toEqual([
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ])
  expect(spoken.capabilities.extensions.map(({ uri }: { uri: string }) => uri)).toEqual([
    'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2',
    'https://www.x402.org',
  ])
  expect(spoken.description.length).toBeLessThanOrEqual(500)
})

test('declares x402 on the networks that are accepted, and says that it happens in headers', () => {
  const [extension] = card.capabilities.extensions
  expect(extension.uri).toBe('https://www.x402.org')
  expect(extension.required).toBe(false)
  expect(extension.params.networks).toEqual(
    testSite()
      .payment.accepts('1')
      .map(({ network }) => network),
  )
})
