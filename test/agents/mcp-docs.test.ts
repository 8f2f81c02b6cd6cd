import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connectMcp, ERAS } from '../../src/testing/mcp-client.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

const guide = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
const [, connect = ''] = /## Connect\n([\s\S]*?)\n## /.exec(guide) ?? []
const rows = [...connect.matchAll(/^\| ([^|]+) \| `(.+)` \|$/gm)].map(
  ([, name = '', text = '']) => [name, text] as const,
)

let world: World
useSharedWorld('usual', (it) => {
  world = it
})

test.each(rows)('the configuration for %s leads to the server', async (_, text) => {
  const [address = ''] = /http:[^"' `}]+/.exec(text) ?? []
  expect(new URL(address).port).toBe('4020')
  const { pathname } = new URL(address)
  for (const era of ERAS) {
    const client = await connectMcp({ url: world.url + pathname.replace(/\/mcp$/, '') }, era)
    expect((await client.listTools()).tools).toHaveLength(10)
    await client.close()
  }
  const [json] = /\{.*\}/.exec(text) ?? []
  if (json) expect(() => JSON.parse(json)).not.toThrow()
})

test('there is a row for each of the common clients', () => {
  expect(rows.length).toBeGreaterThanOrEqual(5)
})

test('cards and catalog point at the address that answers', async () => {
  const url = `${world.url}/mcp`
  for (const path of ['/mcp/server-card', '/.well-known/mcp/server-card.json', '/mcp/server.json']) {
    const card = (await (await world.get(path)).json()) as { remotes: unknown; description: string }
    expect(card).toMatchObject({ remotes: [{ type: 'streamable-http', url }] })
    expect(card.description.length).toBeLessThanOrEqual(100)
  }
  const { entries } = (await (await world.get('/.well-known/ai-catalog.json')).json()) as {
    entries: object[]
  }
  expect(entries).toContainEqual(
    expect.objectContaining({
      type: 'application/mcp-server-card+json',
      url: `${world.url}/mcp/server-card`,
    }),
  )
})
