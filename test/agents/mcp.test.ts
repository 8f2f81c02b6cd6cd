import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { awayFromOpening, untilMarketsAreFollowed } from '../../src/testing/away-from-opening.ts'
import { connectMcp, ERAS, nameOf } from '../../src/testing/mcp-client.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

const TOOLS: string[] = JSON.parse(
  readFileSync(new URL('../../contract/routes.json', import.meta.url), 'utf8'),
).find(({ tools }: { tools?: string[] }) => tools).tools

let world: World
useSharedWorld('with many free calls', (it) => {
  world = it
})

type Result = { isError?: boolean; content: { text: string }[]; structuredContent?: unknown }

function sampleOf(tool: string): Record<string, unknown> {
  const product = world.app.site.catalog.products.find((each) => each.tool === tool)
  return product?.sample ?? {}
}

describe.each(ERAS.map((era) => [nameOf(era), era] as const))('the official client %s', (_, era) => {
  test('lists exactly the ten tools, each with title, price and schema, none with an output schema', async () => {
    const client = await connectMcp(world, era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([...TOOLS].sort())
    for (const tool of tools) {
      expect(tool.title, tool.name).toBeTruthy()
      expect(tool.description, tool.name).toMatch(/\$0\.\d+ per call/)
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema, tool.name).toBeUndefined()
      expect(tool.annotations).toMatchObject({ readOnlyHint: true })
      expect(tool.inputSchema.properties).toMatchObject({
        max_age: { type: 'number' },
        demo: { enum: ['0', '1'] },
      })
      expect(tool.inputSchema.required ?? []).not.toContain('demo')
    }
    const price = tools.find(({ name }) => name === 'get_price')?.description
    expect(price).toContain('ten seconds')
    expect(price).not.toContain('60 s')
    await client.close()
  })

  test('is told of money in words of tools', async () => {
    const client = await connectMcp(world, era)
    const told = client.getInstructions() ?? ''
    expect(told).toContain('_meta["x402/payment"]')
    expect(told).not.toMatch(/header|X-|PAYMENT-|\b4\d\d\b|https?:/)
    const described = (await (await fetch(`${world.url}/mcp`)).json()) as { free_calls: string; docs: string }
    expect(told).toContain(described.free_calls)
    expect(described.docs).toBe(`${world.url}/docs/mcp`)
    expect((await fetch(described.docs)).status).toBe(200)
    await client.close()
  })

  test('asks for terms or for fresher data by arguments', async () => {
    const client = await connectMcp(world, era)
    await client.listTools()
    const call = async (args: object) =>
      (await client.callTool({ name: 'get_price', arguments: { token: 'BTC', ...args } })) as Result
    expect((await call({ demo: '0' })).structuredContent).toMatchObject({ error: 'payment_required' })
    expect((await call({ max_age: 0 })).content[0]?.text).toMatch(/old/)
    await client.close()
  })

  test('calls all ten', { timeout: 90_000 }, async () => {
    await untilMarketsAreFollowed(world.url)
    await awayFromOpening()
    const client = await connectMcp(world, era)
    await client.listTools()
    for (const name of TOOLS) {
      const result = (await client.callTool({ name, arguments: sampleOf(name) })) as Result
      expect([name, result.isError, result.content[0]?.text]).toEqual([name, undefined, expect.any(String)])
      expect(JSON.parse(result.content[0]?.text ?? ''), name).toEqual(result.structuredContent)
    }
    await client.close()
  })

  test('reads what helps to choose: prices, methodology, calibration and prompts', async () => {
    const client = await connectMcp(world, era)
    const { resources } = await client.listResources()
    const names = resources.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['pricing.md', 'methodology/probability', 'record/calibration']),
    )
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri })
      expect((contents[0] as { text: string }).text.length, uri).toBeGreaterThan(50)
    }
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['choose_tools', 'five_minute_outlook'])
    const { messages } = await client.getPrompt({
      name: 'choose_tools',
      arguments: { question: 'Is BTC up?' },
    })
    expect(JSON.stringify(messages)).toContain('get_signal ($0.012)')
    await expect(client.getPrompt({ name: 'choose_tools', arguments: {} })).rejects.toThrow(
      /question is required/,
    )
    const filled = (name: string, args: Record<string, string>) => client.getPrompt({ name, arguments: args })
    expect(JSON.stringify(await filled('choose_tools', { question: 'x', budget_usd: '0.05' }))).toContain(
      'Budget: 0.05 US dollars',
    )
    expect(JSON.stringify(await filled('five_minute_outlook', { coin: 'eth' }))).toContain('coins=eth')
    for (const budget_usd of ['plenty', '-1', '1e9', '0x10', 'NaN'])
      await expect(filled('choose_tools', { question: 'x', budget_usd })).rejects.toThrow(
        /must be a plain number/,
      )
    await expect(filled('five_minute_outlook', { coin: 'DOGE' })).rejects.toThrow(
      /coin must be one of BTC, ETH, SOL, XRP, not "?DOGE/,
    )
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow()
    await client.close()
  })

  test('errors say what to do, and an unknown tool which ones there are', async () => {
    const client = await connectMcp(world, era)
    const wrong = async (args: Record<string, unknown>) => {
      const result = (await client.callTool({ name: 'get_price', arguments: args })) as Result
      expect(result.isError).toBe(true)
      return result.content[0]?.text
    }
    expect(await wrong({})).toContain('token is required')
    expect(await wrong({ token: 7 })).toContain('token must be text')
    expect(await wrong({ token: ['BTC'] })).toContain('token must be text')
    expect(await wrong({ token: '../signals' })).toContain('must be a symbol')
    expect(await wrong({ tokn: 'BTC' })).toContain('tokn is not known here; the nearest is token')
    expect(await wrong({ token: 'BTC', sail: 3 })).toContain(
      'sail is not known here; known are token, demo, x402_version, max_age',
    )
    expect(await wrong({ token: 'NOSUCHCOIN' })).toMatch(/What to do/)
    await expect(client.callTool({ name: 'get_everything', arguments: {} })).rejects.toThrow(/get_price/)
    await client.close()
  })
})
