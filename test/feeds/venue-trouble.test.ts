import { expect, test } from 'vitest'
import { COINS } from '../../src/core/coin.ts'
import { logTroubles } from '../../src/feeds/venues/venue-trouble.ts'
import { createScriptedVenue } from './scripted-venue.ts'

test('a venue that cannot be reached is one line when it begins and one when it is over', async () => {
  const { client, clock, setRestDown } = createScriptedVenue()
  const said: unknown[] = []
  const log = {
    debug() {},
    info: (facts: object, text: string) => void said.push({ level: 'info', text, ...facts }),
    warn: (facts: object, text: string) => void said.push({ level: 'warn', text, ...facts }),
  }
  const hosts = { rest: 'rest.example', socket: 'socket.example' }
  const watched = logTroubles(client, { clock, log, hosts })
  const where = { venue: 'coinbase', channel: 'rest', host: 'rest.example', cause: 'rest is down' }
  const ask = async () => {
    for (const coin of COINS)
      await Promise.allSettled([watched.client.klines(coin, 0, 1), watched.client.latestTrade(coin)])
    clock.advance(5_000)
    watched.check()
  }
  await ask()
  expect(said).toEqual([])
  setRestDown(true)
  for (let times = 0; times < 10; times++) await ask()
  expect(said).toEqual([{ level: 'warn', text: 'a venue is down', ...where }])
  setRestDown(false)
  await ask()
  // One of several kinds of requests may still fail.
  expect(said).toHaveLength(1)
  for (let times = 0; times < 5; times++) await ask()
  expect(said.slice(1)).toEqual([{ level: 'info', text: 'a venue is well again', ...where, downMs: 50_000 }])
})
