import { existsSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilMarketsAreFollowed } from '../../src/testing/away-from-opening.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

const OPERATOR_KEY = 'operator-of-the-real-service-0123456789'
const headers = { authorization: `Bearer ${OPERATOR_KEY}` }

let world: World
beforeAll(async () => {
  world = await startWorld({ TOLLBOOK_OPERATOR_KEY: OPERATOR_KEY })
  await untilMarketsAreFollowed(world.url)
})
afterAll(() => world[Symbol.asyncDispose]())

const get = async (path: string) => (await world.send('GET', path, { headers })).json() as Promise<Json>
type Json = Record<string, never>
const command = async (name: string) => {
  const reply = await world.send('POST', '/admin/command', {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ command: name }),
  })
  return { status: reply.status, json: (await reply.json()) as { did: string; facts: Record<string, never> } }
}

describe('commands', () => {
  test('the bot is paused and resumed', async () => {
    await command('pause_bot')
    expect(await get('/admin/trading')).toMatchObject({ config: { enabled: false } })
    expect((await command('resume_bot')).json.facts).toMatchObject({ enabled: true })
    expect(await get('/admin/trading')).toMatchObject({ config: { enabled: true } })
  })

  test('a backup is a file in the data directory', async () => {
    const { status, json } = await command('backup_store')
    expect([status, json.facts]).toMatchObject([200, { backups_kept: 1, backups_removed: 0 }])
    const { file = '', bytes } = json.facts as Readonly<Record<string, never>>
    expect([existsSync(file), statSync(file).size]).toEqual([true, bytes])
  })

  test('markets are read again', async () => {
    const { json } = await command('refresh_markets')
    expect(json.facts).toMatchObject({ windows: 8, list_read: true })
    expect(json.facts.listed).toBeGreaterThan(0)
  })

  test('every connection is replaced and brings data again', async () => {
    const { facts } = (await command('reconnect_feeds')).json
    const silent = String(facts.silent).split(', ').filter(Boolean)
    // A pair may not be traded for some seconds; books and candles come at once.
    expect(silent.filter((stream) => !stream.includes(' trades '))).toEqual([])
    expect(facts.live).toBe(Number(facts.streams) - silent.length)
    expect(silent.length).toBeLessThan(4)
  })

  test('kept reports are dropped', async () => {
    await get('/admin/usage')
    expect((await command('flush_caches')).json.facts).toHaveProperty('sales_reports')
  })
})
