import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../../src/testing/world.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'user-agent': 'Mozilla/5.0' }

type Reply = { uptime: { measured_at: string | null; parts: { name: string; checks: number }[] } }

describe('a service', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ TOLLBOOK_PUBLIC_REVENUE: 'off', TOLLBOOK_OPERATOR_KEY: 'k'.repeat(40) })
  })
  afterAll(() => world?.[Symbol.asyncDispose]())
  const uptime = async () => ((await (await world.get('/status')).json()) as Reply).uptime

  test('measures itself from its first minute on, and a restart loses nothing of it', async () => {
    const before = await uptime()
    expect(before.parts[0]).toMatchObject({ name: 'service', checks: expect.any(Number) })
    expect(before.parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['prices', 'oracle', 'store', 'nodes', 'facilitators', 'gamma']),
    )
    expect(before.measured_at).not.toBeNull()
    await world.restart()
    const after = await uptime()
    const checksOf = ({ parts }: Reply['uptime'], part: string) =>
      parts.find(({ name }) => name === part)?.checks ?? 0
    for (const part of ['service', 'store'])
      expect(checksOf(after, part)).toBeGreaterThanOrEqual(checksOf(before, part))
    expect(checksOf(before, 'store')).toBeGreaterThan(0)
  })

  test('shows people its status, and that its sales are private where they are', async () => {
    const status = await world.get('/status', BROWSER)
    expect(await status.text()).toMatch(/<h1[^>]*>.*(?:working|down)/)
    const sales = await world.get('/x402/analytics', BROWSER)
    expect([sales.status, await sales.text()]).toEqual([200, expect.stringContaining('private')])
    expect((await world.get('/x402/analytics')).status).toBe(401)
  })
})
