import { expect, test } from 'vitest'
import { rendered, testSite } from '../../testing/discovery/sample-site.ts'

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
  expect(card.description).toContain('A2A messages are not understood')
  expect(card.description.length).toBeLessThanOrEqual(500)
})

test('promises no A2A messages, which nothing here answers', () => {
  const bindings = [
    ...card.supportedInterfaces.map(({ protocolBinding }: { protocolBinding: string }) => protocolBinding),
    ...card.additionalInterfaces.map(({ transport }: { transport: string }) => transport),
    card.preferredTransport,
  ]
  for (const reserved of ['JSONRPC', 'GRPC', 'HTTP+JSON']) expect(bindings).not.toContain(reserved)
  expect([card.securitySchemes, card.capabilities.extendedAgentCard]).toEqual([{}, false])
})

test('has one skill per open product, with its price and every address that answers', () => {
  const skills = card.skills as { id: string; description: string; tags: string[]; examples: string[] }[]
  expect(skills.map(({ id, tags }) => [id, tags.at(-1)])).toEqual([
    ['test.harbour', 'paid'],
    ['test.tides', 'free'],
    ['test.logbook', 'free'],
    ['test.berth', 'wallet'],
  ])
  expect(skills[0]?.description).toContain('$0.0125 per call')
  expect(skills[0]?.examples).toHaveLength(3)
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
